// Tests the access log over real HTTP: one line per request when its last byte is sent, and no secret in any line.

import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { AUTHORIZED, fakeWorkers, SECRET, TICKER, testApp } from '../../test/support/server.ts'
import type { AppDependencies } from '../app.ts'
import { type Listening, listen } from '../http/server/listen.ts'
import { accessLog } from './access-log.ts'
import { createLog } from './log/log.ts'

type Line = Record<string, unknown>

/** Runs against a server whose lines are collected; `lines(n)` waits for the first n. */
async function withLog(
  changes: Partial<AppDependencies>,
  run: (server: Listening, lines: (count: number) => Promise<Line[]>) => Promise<void>,
): Promise<void> {
  const written: string[] = []
  const log = createLog({ format: 'json', write: (line) => written.push(line) })
  let server: Listening | undefined
  const addressOf = (request: Request) => server?.clientAddress(request) ?? null
  const app = testApp({ ...changes, observe: { observer: accessLog(log), addressOf } })
  server = listen(app.fetch, { host: '127.0.0.1', port: 0 })
  const lines = async (count: number) => {
    while (written.length < count) await Bun.sleep(1)
    return written.map((line) => JSON.parse(line) as Line)
  }
  try {
    await run(server, lines)
  } finally {
    await server.stop(0)
  }
}

const PAGE = { dataCount: 9, hasMore: false, totalCount: 9, next: null }
const DATA = `/api/v1/kalshi/market/data?ticker=${TICKER}&date=2026-08-10`
const workersOf = (chunks: () => AsyncIterableIterator<Uint8Array>) => {
  return fakeWorkers({ page: async () => ({ ...PAGE, data: { chunks: chunks() } }) })
}

test('a line has the caller, the request and the result', () =>
  withLog({}, async ({ url }, lines) => {
    const headers = { ...AUTHORIZED, 'x-request-id': 'id-1', 'user-agent': 'test/1', 'accept-encoding': 'identity' }
    const response = await fetch(`${url}/api/v1/kalshi/market/date-range?ticker=${TICKER}`, { headers })
    const bytes = (await response.arrayBuffer()).byteLength
    expect(response.headers.get('content-length')).toBe(String(bytes))
    const [line] = await lines(1)
    expect(line).toMatchObject({
      level: 'info',
      message: 'request',
      request_id: 'id-1',
      method: 'GET',
      path: '/api/v1/kalshi/market/date-range',
      route: '/kalshi/market/date-range',
      status: 200,
      bytes,
      key_id: 'key_1',
      user_id: 'user',
      address: '127.0.0.1',
      user_agent: 'test/1',
    })
    expect(line!['duration_ms']).toBeGreaterThanOrEqual(line!['first_byte_ms'] as number)
    expect(line).not.toHaveProperty('body')
  }))

test('a request that is refused, or fits nothing, has its line', () =>
  withLog({}, async ({ url }, lines) => {
    await (await fetch(`${url}/kalshi/market/date-range?ticker=${TICKER}`)).text()
    await (await fetch(`${url}/nothing/here`)).text()
    const seen = (await lines(2)).map(({ status, route, path, key_id }) => [status, route, path, key_id])
    expect(seen).toEqual([
      [401, '/kalshi/market/date-range', '/kalshi/market/date-range', null],
      [404, '(none)', '/nothing/here', null],
    ])
  }))

test('a streamed body is still streamed, and its line comes with its end', () => {
  const release = Promise.withResolvers<void>()
  async function* chunks() {
    yield new TextEncoder().encode('[1')
    await release.promise
    yield new TextEncoder().encode(',2]')
  }
  return withLog({ workers: workersOf(chunks) }, async ({ url }, lines) => {
    const response = await fetch(url + DATA, { headers: { ...AUTHORIZED, 'accept-encoding': 'identity' } })
    const reader = response.body!.getReader()
    let bytes = (await reader.read()).value!.byteLength
    await Bun.sleep(20)
    expect(await lines(0)).toEqual([])
    release.resolve()
    for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.byteLength
    const [line] = await lines(1)
    expect(line).toMatchObject({ status: 200, bytes })
    expect(line!['duration_ms']).toBeGreaterThan((line!['first_byte_ms'] as number) + 15)
  })
})

test('logs a client that leaves and a body that fails', () => {
  async function* endless() {
    while (true) yield new Uint8Array(1 << 20).fill(32)
  }
  async function* failing() {
    yield new TextEncoder().encode('[1')
    await Bun.sleep(5)
    throw new Error('disk error')
  }
  let isFirst = true
  const chunks = () => {
    const made = isFirst ? endless() : failing()
    isFirst = false
    return made
  }
  return withLog({ workers: workersOf(chunks) }, async ({ port, url }, lines) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${DATA} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${SECRET}\r\n\r\n`)
    })
    socket.once('data', () => socket.destroy())
    expect((await lines(1))[0]).toMatchObject({ status: 200, body: 'left' })
    const headers = { ...AUTHORIZED, 'accept-encoding': 'identity' }
    const read = fetch(url + DATA, { headers }).then((response) => response.text())
    await read.catch(() => undefined)
    expect((await lines(2))[1]).toMatchObject({ status: 200, body: 'failed' })
  })
})

test('no header, query or key is in the log, and no client can forge a line', () => {
  const broken = fakeWorkers({ page: () => Promise.reject(new Error(`with ${SECRET} in it`)) })
  return withLog({ workers: broken }, async ({ url, port }, lines) => {
    const hidden = { 'x-admin-token': 'hidden-1', 'x-monitoring-token': 'hidden-2', cookie: 'session=hidden-3' }
    await (await fetch(url + DATA, { headers: { ...AUTHORIZED, ...hidden } })).text()
    await (await fetch(`${url}/stats?token=hidden-4`, { headers: hidden })).text()
    await (await fetch(`${url}/keys/${SECRET}/name?user_id=hidden-5`, { headers: AUTHORIZED })).text()
    const socket = connect(port, '127.0.0.1', () => {
      const agent = `a"}\\n{"level":"error"${'x'.repeat(500)}`
      socket.write(`GET /${'p'.repeat(2_000)} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${agent}\r\n\r\n`)
    })
    const all = await lines(4)
    socket.destroy()
    expect(all.length).toBe(4)
    expect(JSON.stringify(all)).not.toContain('hidden')
    expect(JSON.stringify(all)).not.toContain(SECRET)
    expect((all[3]!['path'] as string).length).toBeLessThan(600)
    expect((all[3]!['user_agent'] as string).length).toBeLessThan(250)
  })
})

test('a secret that truncation would split is removed as a whole', () =>
  withLog({}, async ({ url }, lines) => {
    for (const shownCharacters of [3, 20, 45]) {
      const headers = { 'user-agent': `${'u'.repeat(200 - shownCharacters)}${SECRET}` }
      await (await fetch(`${url}/${'p'.repeat(511 - shownCharacters)}${SECRET}/more`, { headers })).text()
    }
    const written = JSON.stringify(await lines(3))
    expect(written).toContain('ppp[')
    expect(written).toContain('uuu[')
    expect(written).not.toContain('bb_')
  }))

test.each([
  [`/kalshi/market/list`, null],
  ['/health', expect.stringMatching(/^[1-9]/)],
])('a HEAD of %s gets the same length as without the log, and is logged with no bytes', (path, length) =>
  withLog({}, async ({ url }, lines) => {
    const response = await fetch(`${url}${path}`, { method: 'HEAD', headers: AUTHORIZED })
    expect([response.status, response.headers.get('content-length')]).toEqual([200, length])
    const [line] = await lines(1)
    expect(line).toMatchObject({ method: 'HEAD', status: 200, bytes: 0 })
  }),
)

// Tests the server on a real socket: broken and complete streams, slow clients, stopping.

import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { VALIDATORS } from '../../../test/support/bodies.ts'
import { fakeWorkers, SECRET, TICKER, testApp } from '../../../test/support/server.ts'
import { bodyResponse } from '../answers/body-response.ts'
import type { LogFailure } from './failure-log.ts'
import { type Listening, listen } from './listen.ts'

const PLAIN = { encoding: 'identity', onLateFailure: () => undefined, validators: VALIDATORS } as const
const LOOPBACK = { host: '127.0.0.1', port: 0 }
const MEGABYTE = new Uint8Array(1 << 20).fill(32)

/** Returns what a plain TCP client receives, and whether the connection was reset. */
function rawGet(port: number, path: string, head = ''): Promise<{ text: string; isReset: boolean }> {
  return new Promise((resolve) => {
    let text = ''
    let isReset = false
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${head}\r\n`)
    })
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
    })
    socket.on('error', () => {
      isReset = true
    })
    socket.on('close', () => resolve({ text, isReset }))
  })
}

async function withServer(
  fetch: (request: Request) => Response | Promise<Response>,
  run: (server: Listening) => Promise<void>,
) {
  const server = listen(fetch, LOOPBACK)
  try {
    await run(server)
  } finally {
    await server.stop(0)
  }
}

test('a stream that fails midway breaks the connection: the body has no proper end', () => {
  async function* failing() {
    yield new TextEncoder().encode('[{"a":1}')
    await Bun.sleep(5)
    throw new Error('disk error')
  }
  const page = { dataCount: 9, hasMore: false, totalCount: 9, next: null }
  const workers = fakeWorkers({ page: async () => ({ ...page, data: { chunks: failing() } }) })
  const logged: string[] = []
  const log: LogFailure = (id, _, error) => void logged.push(`${id} ${error}`)
  return withServer(testApp({ workers, log }).fetch, async ({ port }) => {
    const path = `/kalshi/market/data?ticker=${TICKER}&date=2026-08-10`
    const { text } = await rawGet(port, path, `Authorization: Bearer ${SECRET}\r\nX-Request-Id: id-1\r\n`)
    expect(text).toStartWith('HTTP/1.1 200 OK')
    expect(text).toContain('"data":[{"a":1}')
    expect(text).not.toEndWith('\r\n0\r\n\r\n')
    expect(text).not.toContain('disk error')
    expect(logged).toEqual(['id-1 Error: disk error'])
    const read = fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${SECRET}`, 'accept-encoding': 'identity' },
    })
    const outcome = await read.then((response) => response.text()).catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(Error)
  })
})

test('a stream that ends well has its proper end', () => {
  async function* whole() {
    yield new TextEncoder().encode('[1')
    await Bun.sleep(5)
    yield new TextEncoder().encode(',2]')
  }
  return withServer(
    () => bodyResponse({ chunks: whole() }, PLAIN),
    async ({ port }) => {
      const { text } = await rawGet(port, '/')
      expect(text).toEndWith('\r\n0\r\n\r\n')
    },
  )
})

test('a client that reads nothing pauses the stream, and ends it by disconnecting', () => {
  let pulled = 0
  const ended = Promise.withResolvers<void>()
  async function* endless() {
    try {
      while (true) {
        pulled += 1
        yield MEGABYTE
      }
    } finally {
      ended.resolve()
    }
  }
  return withServer(
    () => bodyResponse({ chunks: endless() }, PLAIN),
    async ({ port }) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'))
      socket.pause()
      let before = -1
      while (pulled !== before) {
        before = pulled
        await Bun.sleep(100)
      }
      expect(pulled).toBeGreaterThan(0)
      expect(pulled).toBeLessThan(64)
      socket.destroy()
      await ended.promise
    },
  )
})

test('stop finishes running requests and accepts no new ones', async () => {
  const entered = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const server = listen(async () => {
    entered.resolve()
    await release.promise
    return new Response('finished')
  }, LOOPBACK)
  const running = fetch(server.url).then((response) => response.text())
  await entered.promise
  const stopped = server.stop(10_000)
  const late = await fetch(server.url).catch((error: unknown) => error)
  expect(late).toBeInstanceOf(Error)
  release.resolve()
  expect(await running).toBe('finished')
  await stopped
})

test('stop waits no longer than its timeout', async () => {
  const server = listen(() => new Promise<Response>(() => undefined), LOOPBACK)
  const running = fetch(server.url).catch((error: unknown) => error)
  await Bun.sleep(20)
  await server.stop(50)
  expect(await running).toBeInstanceOf(Error)
})

test('the address of a client is known, and the address of the server is printable', () =>
  withServer(
    () => new Response(''),
    async (plain) => {
      expect(plain.url).toBe(`http://127.0.0.1:${plain.port}`)
      const server: Listening = listen((request) => new Response(server.clientAddress(request)), LOOPBACK)
      expect(await (await fetch(server.url)).text()).toBe('127.0.0.1')
      await server.stop(0)
    },
  ))

test('a short host name does not hide the path', () =>
  withServer(testApp().fetch, async ({ port }) => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('GET /health HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n')
      })
      socket.on('data', (bytes) => resolve(bytes.toString()))
    })
    expect(answer).toStartWith('HTTP/1.1 200 OK')
  }))

test('a body that is far too long is refused with a message', () =>
  withServer(testApp().fetch, async ({ url }) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/keys`, { method: 'POST', body: MEGABYTE, headers })
    const body = (await response.json()) as { request_id: string }
    expect(body).toMatchObject({ status: 413, code: 'body_too_large' })
    expect(response.headers.get('x-request-id')).toBe(body.request_id)
  }))

test.each(['localhost:99999', '[::', 'a b', 'a?x='])('a Host of %p gets an answer without source code', (host) => {
  const app = testApp()
  return withServer(
    (request) => app.fetch(request),
    async ({ port }) => {
      for (const path of ['/nothing', '/health', `/kalshi/market/date-range?ticker=${TICKER}`]) {
        const socket = connect(port, '127.0.0.1')
        const head = `authorization: Bearer ${SECRET}\r\nconnection: close`
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n\r\n`)
        let text = ''
        for await (const bytes of socket) text += String(bytes)
        expect(text).toMatch(/^HTTP\/1.1 (200|4\d\d) /)
        expect(text).not.toContain('.ts')
      }
    },
  )
})

test.each([
  [`/kalshi/market/data?ticker=${TICKER}&date=2026-08-10`, false],
  [`/kalshi/market/date-range?ticker=${TICKER}`, false],
  ['/health', true],
])('a HEAD of %s ends with its headers, and the next request of the connection is answered', (path, hasLength) =>
  withServer(testApp().fetch, async ({ port }) => {
    const head = `HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${SECRET}\r\n`
    const socket = connect(port, '127.0.0.1')
    socket.write(`HEAD ${path} ${head}\r\n`)
    let text = ''
    for await (const bytes of socket) {
      text += String(bytes)
      if (text.endsWith('\r\n\r\n') && !text.includes('HTTP/1.1 405'))
        socket.write(`PUT /health ${head}Connection: close\r\n\r\n`)
    }
    const [first = '', second = ''] = text.split('\r\n\r\n')
    expect(first).toStartWith('HTTP/1.1 200 OK')
    expect(/content-length: [1-9]/i.test(first)).toBe(hasLength)
    expect(first).not.toMatch(/content-length: 0/i)
    expect(second).toStartWith('HTTP/1.1 405')
  }),
)

test('a body without a declared length is refused as soon as it is too long', () =>
  withServer(testApp().fetch, async ({ url }) => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        if (pulled > 500) controller.close()
        else controller.enqueue(MEGABYTE.subarray(0, 1 << 16))
      },
    })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/keys`, { method: 'POST', body, headers })
    expect([response.status, await response.json()]).toEqual([413, expect.objectContaining({ code: 'body_too_large' })])
  }))

test.each([
  ['HTTP/1.0', ''],
  ['HTTP/1.1', 'Host:\r\n'],
])('a request of %s without a host name (%p) finds its path', (version, host) =>
  withServer(testApp().fetch, async ({ port }) => {
    const send = async (line: string) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`${line} ${version}\r\n${host}Authorization: Bearer ${SECRET}\r\nConnection: close\r\n\r\n`)
      let text = ''
      for await (const bytes of socket) text += String(bytes)
      return text
    }
    expect(await send(`GET /kalshi/market/date-range?ticker=${TICKER}`)).toStartWith('HTTP/1.1 200')
    expect(await send(`GET /kalshi/market/data?ticker=${TICKER}&date=2026-08-10`)).toStartWith('HTTP/1.1 200')
    expect(await send('GET /elsewhere/health')).toStartWith('HTTP/1.1 404')
  }),
)

test('a URL may be as long as the limit of the edge, and the headers twice that', () =>
  withServer(
    (request) => new Response(String(request.url.length)),
    async ({ port }) => {
      const path = `/?a=${'x'.repeat(32_000)}`
      expect((await rawGet(port, path)).text).toEndWith(String(`http://localhost${path}`.length))
      expect((await rawGet(port, path, `X-More: ${'y'.repeat(30_000)}\r\n`)).text).toStartWith('HTTP/1.1 200')
      expect((await rawGet(port, path, `X-More: ${'y'.repeat(34_000)}\r\n`)).text).toStartWith('HTTP/1.1 431')
    },
  ))

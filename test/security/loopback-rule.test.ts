// Without an admin token, only this machine can use management. No client of a proxy and no web page can, whatever a
// request claims. Runs the program as a process, and sends raw bytes.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { type ServeProcess, serveProcess } from '../support/programs/serve-process.ts'
import { temporaryFolder } from '../support/server.ts'

const TOKEN = 'admin-token-of-this-test'
const HOST = 'Host: 127.0.0.1'
const NEW_KEY = '/keys?user_id=mallory&name=n'

const folder = temporaryFolder()
let open: ServeProcess
let guarded: ServeProcess
beforeAll(async () => {
  open = await serveProcess(join(folder.path, 'open'))
  guarded = await serveProcess(join(folder.path, 'guarded'), { ADMIN_TOKEN: TOKEN })
})
afterAll(async () => {
  await Promise.all([open.stop(), guarded.stop()])
  folder[Symbol.dispose]()
})

describe('without an admin token', () => {
  test.each([
    ...['127.0.0.1', '127.0.0.1:8080', 'localhost', 'LOCALHOST:1', '127.8.9.10', '[::1]', '[::1]:8080'],
    // Other spellings of the same addresses.
    ...['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '[0:0:0:0:0:0:0:1]'],
  ])('a client of this machine that requests host %s may manage', async (host) => {
    expect(await open.answer('POST', NEW_KEY, `Host: ${host}`)).toBe('200')
  })

  test.each([
    ...['rebound.example', 'rebound.example:8080', 'localhost.rebound.example', '127.0.0.1.rebound.example'],
    ...['rebound.example@127.0.0.1', '127.0.0.1@rebound.example', 'a:b@localhost', '127.0.0.1/rebound.example'],
    ...['127.0.0.1#rebound.example', '127.0.0.1?rebound.example', '127.0.0.1\\rebound.example', 'localhost.'],
    ...['0.0.0.0', '0', '[::]', '[::ffff:10.0.0.1]', '10.0.0.1', '127.0.0.256', 'evil.localhost', 'localhost:x', ''],
  ])('a page whose own name leads here, asking for %p, may not', async (host) => {
    expect(await open.answer('POST', NEW_KEY, `Host: ${host}`)).toBe('management_closed')
  })

  test.each([
    ...['X-Forwarded-For: 127.0.0.1', 'x-forwarded-for: 127.0.0.1', 'X-FORWARDED-FOR: ::1', 'X-Forwarded-For:'],
    ...['X-Forwarded-Host: localhost', 'X-Forwarded-Proto: https', 'X-Forwarded-Server: a', 'X-Forwarded: for=a'],
    ...['Forwarded: for=127.0.0.1', 'FORWARDED: for="[::1]"', 'Forwarded-For: 127.0.0.1', 'Via: 1.1 proxy'],
    ...['X-Real-IP: 127.0.0.1', 'Client-IP: 127.0.0.1', 'X-Client-IP: 127.0.0.1', 'True-Client-IP: 127.0.0.1'],
    ...['X-Cluster-Client-IP: 127.0.0.1', 'CF-Connecting-IP: 127.0.0.1', 'CDN-Loop: cloud', 'Fly-Client-IP: ::1'],
    ...['X-Original-Forwarded-For: ::1', 'X-Envoy-External-Address: ::1', 'X-Amzn-Trace-Id: Root=1'],
    ...['X-Azure-ClientIP: ::1', 'X-AppEngine-User-IP: ::1', 'X-Vercel-Id: a', 'Tailscale-User-Login: ann'],
  ])('a client behind a proxy that sends %p may not', async (header) => {
    expect(await open.answer('POST', NEW_KEY, HOST, header)).toBe('management_closed')
    expect(await open.answer('GET', '/stats', header, HOST)).toBe('management_closed')
  })

  test.each([
    ...['Origin: https://page.example', 'Origin: null', 'Origin:', 'Origin: http://127.0.0.1.page.example'],
    ...['Origin: http://localhost@page.example', 'Sec-Fetch-Site: cross-site', 'SEC-FETCH-SITE: CROSS-SITE'],
  ])('a page of another site, which sends %p, may not', async (header) => {
    expect(await open.answer('POST', NEW_KEY, HOST, header)).toBe('management_closed')
  })

  test('two Hosts, a Host with a zero or a second Origin do not bypass the rule', async () => {
    for (const hosts of [
      [HOST, 'Host: rebound.example'],
      ['Host: rebound.example', HOST],
    ]) {
      expect(['management_closed', '400']).toContain(await open.answer('POST', NEW_KEY, ...hosts))
    }
    expect(await open.answer('POST', NEW_KEY, 'Host: 127.0.0.1\0rebound.example')).toBe('400')
    for (const origins of [
      ['Origin: http://localhost', 'Origin: https://page.example'],
      ['Origin: https://page.example', 'Origin: http://localhost'],
    ]) {
      expect(['management_closed', '400']).toContain(await open.answer('POST', NEW_KEY, HOST, ...origins))
    }
  })

  test('headers that two servers would read differently are always refused', async () => {
    const refused = [
      ['Content-Length: 0', 'Content-Length: 5'],
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['X-Forwarded-For : 127.0.0.1'],
      [' X-Forwarded-For: 127.0.0.1'],
    ]
    for (const headers of refused) expect(await open.answer('POST', NEW_KEY, HOST, ...headers)).toBe('400')
  })

  test('every management endpoint is closed to a rebound name, under every spelling of its path', async () => {
    const rebound = 'Host: rebound.example'
    const endpoints = [
      ...[NEW_KEY, '/keys?user_id=a', '/keys/key_1/name', '/keys/key_1/last-used', '/keys/key_1?user_id=a'],
      ...['/keys/key_1/rotate?user_id=a', '/usage?user_id=a', '/user/a/requests/count', '/user/a/requests/recent'],
      ...['/user/a/requests/count/timeframe?start_time=1&end_time=2', '/stats', '/stats/popular-markets'],
      ...['/subscriptions/status?user_id=a', '/subscriptions/checkout', '/subscriptions/portal'],
    ]
    const refused = ['management_closed', 'route_unknown', 'method_not_allowed', 'billing_not_configured']
    for (const endpoint of endpoints) {
      for (const path of spellings(endpoint)) {
        for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PUT']) {
          const answer = await open.answer(method, path, rebound)
          if (method === 'HEAD') expect(['403', '404', '405', '503']).toContain(answer)
          else expect([method, path, refused.includes(answer) ? 'refused' : answer]).toEqual([method, path, 'refused'])
        }
      }
    }
  })

  test('a client that is not on loopback needs the token', async () => {
    using outside = temporaryFolder()
    await using served = await serveProcess(outside.path, { BACKBOOK_HOST: '0.0.0.0', ADMIN_TOKEN: TOKEN })
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    const other = addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address
    if (other === undefined) return
    const response = await fetch(`http://${other}:${served.port}${NEW_KEY}`, { method: 'POST' })
    expect(response.status).toBe(401)
  })
})

/** Returns spellings of a path that some servers treat as the same path. */
const spellings = (path: string) => [
  ...[path, `/api/v1${path}`, `/.${path}`, `/x/..${path}`, `/api/v1/.${path}`, `/${path}`, `/api/v1/${path}`],
  ...[
    path.replace('/', '/%2e/'),
    path.replace(/^\/(.)/, (_, first: string) => `/%${first.charCodeAt(0).toString(16)}`),
  ],
  ...[path.toUpperCase(), path.replace('?', '/?'), path.replace('?', ';x?'), `http://127.0.0.1${path}`],
]

describe('behind a proxy on this machine', () => {
  /** How a proxy changes the headers of a client before it forwards the request. */
  type Rewrite = (headers: IncomingHttpHeaders) => IncomingHttpHeaders

  async function through(target: ServeProcess, rewrite: Rewrite, headers: Record<string, string> = {}) {
    const proxy = await startProxy(target.port, rewrite)
    try {
      const { port } = proxy.address() as AddressInfo
      const init = { method: 'POST', headers: { host: 'books.example', ...headers } }
      const response = await fetch(`http://127.0.0.1:${port}${NEW_KEY}`, init)
      const { code } = (await response.json()) as { code?: string }
      return code ?? String(response.status)
    } finally {
      proxy.close()
    }
  }

  const keepsHost: Rewrite = (headers) => headers
  const replacesHost: Rewrite = (headers) => ({ ...headers, host: '127.0.0.1' })
  const addsHeader =
    (name: string): Rewrite =>
    (headers) => ({ ...headers, host: '127.0.0.1', [name]: '203.0.113.9' })

  test('a proxy that keeps the requested host makes no client local', async () => {
    expect(await through(open, keepsHost)).toBe('management_closed')
  })
  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
    'a proxy that adds %s makes no client local',
    async (name) => {
      expect(await through(open, addsHeader(name))).toBe('management_closed')
    },
  )
  test('a proxy that hides everything makes clients local: the documentation requires ADMIN_TOKEN', async () => {
    expect(await through(open, replacesHost)).toBe('200')
    expect(await through(guarded, replacesHost)).toBe('admin_token_missing')
    expect(await through(guarded, replacesHost, { 'x-admin-token': 'guess' })).toBe('admin_token_wrong')
    expect(await through(guarded, keepsHost, { 'x-admin-token': TOKEN })).toBe('200')
  })
})

function startProxy(port: number, rewrite: (headers: IncomingHttpHeaders) => IncomingHttpHeaders): Promise<Server> {
  const proxy = createServer((incoming, answer) => {
    const headers = rewrite(incoming.headers)
    const target = { host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers, setHost: false }
    const behind = request(target, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    incoming.pipe(behind)
  })
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)))
}

describe('with an admin token', () => {
  test.each([
    [[], 'admin_token_missing'],
    [['x-admin-token:'], 'admin_token_wrong'],
    [[`x-admin-token: ${TOKEN.slice(0, -1)}`], 'admin_token_wrong'],
    [[`x-admin-token: ${TOKEN}x`], 'admin_token_wrong'],
    [[`x-admin-token: ${TOKEN.toUpperCase()}`], 'admin_token_wrong'],
    [[`x-admin-token: ${TOKEN}\0`], '400'],
    [[`Authorization: Bearer ${TOKEN}`], 'admin_token_missing'],
    [[`Cookie: x-admin-token=${TOKEN}`], 'admin_token_missing'],
    [[`x-admin-token: ${TOKEN}`], '200'],
    [[`X-ADMIN-TOKEN: ${TOKEN}`, 'X-Forwarded-For: 203.0.113.9'], '200'],
  ])('the headers %p are answered with %s', async (headers, expected) => {
    expect(await guarded.answer('POST', NEW_KEY, HOST, ...headers)).toBe(expected)
  })

  test('the token in the address is ignored, because addresses are logged', async () => {
    const answer = await guarded.answer('POST', `${NEW_KEY}&x-admin-token=${TOKEN}`, HOST)
    expect(['admin_token_missing', 'parameters_invalid']).toContain(answer)
  })
})

test('the rule for proxies in the documentation covers every management and metrics endpoint', async () => {
  const operations = await Bun.file(join(import.meta.dir, '../../docs/operations.md')).text()
  const rules = [...operations.matchAll(/\^\(\/api\/v1\)\?\/\([a-z|]+\)\(\/\|\$\)/g)].map(([rule]) => new RegExp(rule))
  expect(rules).toHaveLength(2)
  const { paths } = (await (await fetch(`${open.url}/docs/json`)).json()) as {
    paths: Record<string, Record<string, { security?: Record<string, unknown>[]; tags?: string[] }>>
  }
  const management = Object.entries(paths).filter(([, methods]) =>
    Object.values(methods).some(({ security = [] }) => JSON.stringify(security).includes('dmin')),
  )
  const guardedPaths = [...management.map(([path]) => path.replace(/^\/api\/v1/, '')), '/metrics', '/monitoring/status']
  expect(guardedPaths.length).toBeGreaterThan(12)
  for (const rule of rules) {
    for (const path of guardedPaths)
      expect([path, rule.test(path), rule.test(`/api/v1${path}`)]).toEqual([path, true, true])
  }
})

// Text from a client or a venue never becomes a page, a header, a log line or a path on this machine. Pages of other
// sites cannot read management. Runs the program as a process, and checks raw bytes.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type ServeProcess, serveProcess } from '../support/programs/serve-process.ts'
import { temporaryFolder } from '../support/server.ts'

const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(1)>'
const folder = temporaryFolder()
let served: ServeProcess
beforeAll(async () => {
  const env = { ACCESS_LOG: 'on', LOG_FORMAT: 'text', CORS_ORIGINS: '*' }
  served = await serveProcess(join(folder.path, 'data'), env)
})
afterAll(async () => {
  await served.stop()
  folder[Symbol.dispose]()
})

const own = encodeURIComponent(SCRIPT)
const HOSTILE_PATHS = [
  ...[`/${own}`, `/${SCRIPT}`, `/docs/${own}`, `/keys/${own}/name`, `/keys?user_id=${own}`, `/usage?user_id=${own}`],
  ...[
    `/user/${own}/requests/recent`,
    `/lookup/slug?slug=${own}`,
    `/kalshi/market/data?ticker=${own}`,
    `/${own}?${own}=${own}`,
  ],
  ...[`/stats/popular-markets?limit=${own}`, `/subscriptions/status?user_id=${own}`, `/webhooks/stripe?${own}`],
]

test('text of a client comes back as JSON that no browser treats as a page, and without a cookie', async () => {
  const key = (
    (await (await fetch(`${served.url}/keys?user_id=ann&name=${own}`, { method: 'POST' })).json()) as {
      data: { api_key: string }
    }
  ).data.api_key
  const pages = [
    '/docs',
    '/docs/README.md',
    '/docs/json',
    '/llms.txt',
    '/health',
    '/metrics',
    '/monitoring/status',
    '/monitoring/history',
    '/stats',
  ]
  for (const path of [...HOSTILE_PATHS, ...pages]) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE', 'TRACE']) {
      const accept = { accept: 'text/html', 'accept-language': SCRIPT, 'user-agent': SCRIPT, referer: SCRIPT }
      const init = { method, headers: { ...accept, authorization: `Bearer ${key}` } }
      // The runtime's client cannot send TRACE.
      if (method === 'TRACE') {
        expect(
          await served.raw(`TRACE ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: a\r\nConnection: close\r\n\r\n`),
        ).not.toContain('Cookie')
        continue
      }
      const { headers, status } = await fetch(`${served.url}${path}`, init)
      const type = headers.get('content-type') ?? ''
      expect([path, method, headers.get('x-content-type-options'), headers.get('set-cookie')]).toEqual([
        path,
        method,
        'nosniff',
        null,
      ])
      if (type.startsWith('text/html')) {
        expect(path).toStartWith('/docs')
        const policy = headers.get('content-security-policy') ?? ''
        for (const rule of [
          "default-src 'none'",
          "script-src 'self';",
          "frame-ancestors 'none'",
          "base-uri 'none'",
          "form-action 'none'",
        ]) {
          expect(policy).toContain(rule)
        }
        expect([headers.get('x-frame-options'), headers.get('referrer-policy')]).toEqual(['DENY', 'no-referrer'])
      } else if (status >= 400) expect([path, method, type]).toEqual([path, method, 'application/problem+json'])
    }
  }
})

test.each([
  ...[
    '/docs/..%2fpackage.json',
    '/docs/../package.json',
    '/docs/..%2f..%2f..%2f..%2fetc/passwd',
    '/docs/%2e%2e/package.json',
  ],
  ...['/docs/....//package.json', '/docs/..%5cpackage.json', '/docs\\..\\package.json', '/docs/README.md%00.html'],
  ...['/docs/%00', '/docs//etc/passwd', '//etc/passwd', '/deploy/../package.json', '/deploy/..%2fpackage.json'],
  ...['/deploy/backbook.env', '/docs/assets/5.35.0/..%2f..%2f..%2fpackage.json', '/docs/assets/../../package.json'],
  ...['/docs/assets/5.35.0/swagger-ui.css/../../../../package.json', '/docs/assets/5.35.0/', '/docs/assets/'],
  ...[
    '/docs/file:///etc/passwd',
    '/docs/%252e%252e%252fpackage.json',
    '/docs/..;/package.json',
    '/data/accounts.sqlite',
  ],
  ...['/lookup/slug?slug=../../etc/passwd', '/lookup/slug?slug=https://a.example/..%2f..%2fetc%2fpasswd'],
  ...['/keys/..%2f..%2fstats/name', '/user/..%2f..%2fstats/requests/count', '/user/../../stats/requests/count'],
  ...['/kalshi/market/data?ticker=../../../etc/passwd&date=2026-08-10', '/kalshi/market/list?prefix=../../'],
])('the path %s is no way to a file', async (path) => {
  const answer = await served.raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  expect(answer).not.toMatch(/devDependencies|root:x:0|SQLite format 3|ADMIN_TOKEN=/)
  expect(answer).toMatch(/^HTTP\/1\.1 (?:200|4[0-9]{2}) /)
})

test.each([
  ['/%0d%0aSet-Cookie:%20a=b', ''],
  ['/%0d%0a%0d%0a<script>', ''],
  ['/lookup/slug?slug=%0d%0aSet-Cookie:%20a=b', ''],
  ['/health', 'x-request-id: a%0d%0aSet-Cookie: a=b\r\n'],
  ['/health', 'x-request-id: a\rSet-Cookie: a=b\r\n'],
  ['/health', 'x-request-id: a\nSet-Cookie: a=b\r\n'],
  ['/health', 'Origin: https://a.example\rSet-Cookie: a=b\r\n'],
  ['/docs/json', 'if-none-match: "a\rSet-Cookie: a=b"\r\n'],
])('the request for %s with %j puts no header into an answer', async (path, header) => {
  const answer = await served.raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}Connection: close\r\n\r\n`)
  const [head = ''] = answer.split('\r\n\r\n')
  expect(head).toStartWith('HTTP/1.1 ')
  expect(head).not.toMatch(/^\s*set-cookie/im)
})

test('pages of other sites read no management and no metrics, even if every page may read markets', async () => {
  const allowed = async (path: string, method: string) => {
    const origin = { origin: 'https://page.example', 'access-control-request-method': 'POST' }
    const { headers } = await fetch(`${served.url}${path}`, { method, headers: origin })
    return headers.get('access-control-allow-origin')
  }
  expect(await allowed('/api/v1/kalshi/market/list', 'OPTIONS')).toBe('*')
  const closed = [
    '/keys',
    '/keys/key_1',
    '/keys/key_1/rotate',
    '/usage',
    '/user/ann/requests/recent',
    '/stats',
    '/metrics',
  ]
  for (const path of [...closed, '/subscriptions/checkout', '/webhooks/stripe'].flatMap((each) => [
    each,
    `/api/v1${each}`,
  ])) {
    for (const method of ['OPTIONS', 'GET', 'POST'])
      expect([path, method, await allowed(path, method)]).toEqual([path, method, null])
  }
})

test('one request is one line of the log, whatever its path and client name contain', async () => {
  using other = temporaryFolder()
  const obeyed = '\u001b[2J\u009b31m'
  for (const LOG_FORMAT of ['text', 'json']) {
    await using logged = await serveProcess(join(other.path, LOG_FORMAT), { ACCESS_LOG: 'on', LOG_FORMAT })
    const paths = [
      '/a%0a2026-11-21%20ERROR%20fake',
      '/\u009b31m',
      '/%1b[2J',
      '/"}\\n{"level":"fatal"',
      `/${'x'.repeat(8_000)}`,
    ]
    for (const path of paths) {
      await logged.raw(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: "}\\n${obeyed}\t\u0085\r\nConnection: close\r\n\r\n`,
      )
    }
    const lines = (await logged.stop()).err.trimEnd().split('\n')
    const isRequest = (line: string) =>
      LOG_FORMAT === 'json' ? JSON.parse(line).message === 'request' : / INFO {2}request /.test(line)
    expect(lines.filter(isRequest)).toHaveLength(lines.length - 3)
    for (const line of lines) {
      if (LOG_FORMAT === 'text') expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(line).not.toContain('\u001b')
      expect(line.length).toBeLessThan(2_000)
    }
  }
})

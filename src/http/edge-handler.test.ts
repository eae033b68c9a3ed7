// Tests what runs before and after the routes: methods, limits, and the headers of every answer.

import { describe, expect, test } from 'bun:test'
import { AUTHORIZED, ask, CONDITION, fakeWorkers, NO_TOKENS, TICKER, testApp } from '../../test/support/server.ts'
import { URL_CHARACTERS_MAX } from './edge-handler.ts'

const DATE = 'date=2026-08-10'
const BOUNDS = 'start_timestamp=1786406390&end_timestamp=1786406401'
const MARKET_PATHS = [
  `/kalshi/market/orderbook-summary?ticker=${TICKER}&${DATE}`,
  `/kalshi/market/data?ticker=${TICKER}&${DATE}`,
  `/kalshi/market/data/range?ticker=${TICKER}&${BOUNDS}`,
  '/kalshi/market/list',
  `/kalshi/market/date-range?ticker=${TICKER}`,
  `/kalshi/market/coverage?ticker=${TICKER}`,
  `/market/orderbook-summary?condition_id=${CONDITION}&asset_id=1&${DATE}`,
]
/** Headers that differ between two equal answers. */
const PASSING = ['x-request-id', 'ratelimit', 'content-length']
const lasting = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => !PASSING.includes(name)))

describe('HEAD', () => {
  test.each(MARKET_PATHS)('of %s has the headers of GET, no body, and no work', async (path) => {
    const workers = fakeWorkers()
    const app = testApp({ workers })
    const got = await ask(app, path)
    const work = workers.pages.length + workers.summaries.length
    const headed = await ask(app, path, { method: 'HEAD' })
    expect([headed.status, headed.text]).toEqual([200, ''])
    expect(lasting(headed.headers)).toEqual(lasting(got.headers))
    expect(headed.headers.get('etag')).toBeString()
    expect(headed.headers.has('content-length')).toBe(false)
    expect(workers.pages.length + workers.summaries.length).toBe(work)
  })

  test.each(['/health', '/docs', '/docs/json', '/monitoring/status'])('of %s states the length', async (path) => {
    const app = testApp()
    const [got, headed] = [await ask(app, path), await ask(app, path, { method: 'HEAD' })]
    expect([headed.status, headed.text]).toEqual([200, ''])
    expect(headed.headers.get('content-length')).toBe(String(Buffer.byteLength(got.text)))
  })

  test.each([
    [`/kalshi/market/data?ticker=NOTHING&${DATE}`, 404],
    ['/kalshi/market/list?limit=x', 400],
    ['/nowhere', 404],
    ['/webhooks/stripe', 405],
  ])('of %s is refused as GET is', async (path, status) =>
    expect((await ask(testApp(), path, { method: 'HEAD' })).status).toBe(status),
  )

  test('without a key is refused', async () =>
    expect((await ask(testApp(), '/kalshi/market/list', { method: 'HEAD', headers: {} })).status).toBe(401))
})

describe('OPTIONS', () => {
  test.each([
    ['/health', 'GET, HEAD, OPTIONS'],
    ['/api/v1/kalshi/market/list', 'GET, HEAD, OPTIONS'],
    ['/keys', 'POST, GET, HEAD, OPTIONS'],
    ['/keys/key_1', 'DELETE, OPTIONS'],
    ['/webhooks/stripe', 'POST, OPTIONS'],
    ['/docs', 'GET, HEAD, OPTIONS'],
  ])('of %s returns its methods, without a key', async (path, allow) => {
    const { status, headers, text } = await ask(testApp(), path, { method: 'OPTIONS', headers: {} })
    expect([status, headers.get('allow'), text]).toEqual([204, allow, ''])
  })

  test('of an unknown path returns 404', async () =>
    expect((await ask(testApp(), '/nowhere', { method: 'OPTIONS' })).body).toMatchObject({ code: 'route_unknown' }))
})

test.each(['PUT', 'PATCH', 'PROPFIND'])('%s is refused, whatever another header says', async (method) => {
  const headers = { ...AUTHORIZED, 'x-http-method-override': 'GET' }
  const { status, headers: answered } = await ask(testApp(), '/kalshi/market/list', { method, headers })
  expect([status, answered.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test.each(['GET', 'HEAD', 'OPTIONS', 'POST'])('%s of an address that is too long is 414', async (method) => {
  const path = '/health?'
  const fits = URL_CHARACTERS_MAX - 'http://localhost'.length - path.length
  const { status } = await ask(testApp(), path + 'a'.repeat(fits + 1), { method })
  expect(status).toBe(414)
  expect((await ask(testApp(), path + 'a'.repeat(fits), { method })).status).not.toBe(414)
})

test.each([
  [{ 'content-length': '20000' }, 413, 'body_too_large'],
  [{ 'content-encoding': 'gzip' }, 415, 'body_type_unknown'],
  [{ expect: 'a-miracle' }, 417, 'expectation_unknown'],
])('a body with %p is refused before the path is looked up', async (headers, status, code) => {
  const { body } = await ask(testApp(), '/nowhere', { method: 'POST', body: '{}', headers })
  expect(body).toMatchObject({ status, code })
})

test.each([{ 'content-length': '20000' }, { 'content-encoding': 'gzip' }, { expect: 'a-miracle' }])(
  'HEAD with %p is answered as GET is',
  async (more) => {
    for (const method of ['GET', 'HEAD']) {
      const { status } = await ask(testApp(), '/kalshi/market/list', { method, headers: { ...AUTHORIZED, ...more } })
      expect(status).toBe(200)
    }
  },
)

test.each([
  ['/health', 200],
  ['/keys?user_id=a&name=b', 200],
  ['/nowhere', 404],
  ['/kalshi/market/list?limit=x', 400],
] as const)('%s is not cached, and browsers do not guess its type', async (path, status) => {
  const method = path.startsWith('/keys') ? 'POST' : 'GET'
  const answer = await ask(testApp(), path, { method })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('any cache may store the documentation', async () => {
  const { headers } = await ask(testApp(), '/docs/json')
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
})

test.each(['/docs', '/docs?x=/market/'])(
  'the page %s loads nothing from other sites and cannot be framed',
  async (path) => {
    const { headers } = await ask(testApp(), path)
    const policy = headers.get('content-security-policy')!.split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy.join()).not.toContain('http')
    expect([headers.get('x-frame-options'), headers.get('referrer-policy')]).toEqual(['DENY', 'no-referrer'])
    expect((await ask(testApp(), '/health')).headers.has('content-security-policy')).toBe(false)
  },
)

describe('the chart of a market in a frame', () => {
  const CHART = '/explore/kalshi/KXA-B?at=2026-07-20T12:00:00Z&embed'
  const headersOf = async (path: string, frameAncestors: ReadonlySet<string> | '*' | null) => {
    const { headers } = await ask(testApp({ config: { ...NO_TOKENS, frameAncestors } }), path)
    const policy = headers.get('content-security-policy')!.split('; ')
    return [policy.find((each) => each.startsWith('frame-ancestors')), headers.get('x-frame-options')]
  }

  test('is allowed for the configured origins, by default for none', async () => {
    const origins = new Set(['https://a.example', 'http://localhost:8888'])
    expect(await headersOf(CHART, origins)).toEqual(['frame-ancestors https://a.example http://localhost:8888', null])
    expect(await headersOf(CHART, '*')).toEqual(['frame-ancestors *', null])
    expect(await headersOf(CHART, null)).toEqual(["frame-ancestors 'none'", 'DENY'])
  })

  test.each([
    '/explore',
    '/explore?embed',
    '/explore/keys?embed',
    '/explore/compare?embed',
    '/explore/event/kalshi/KXA?embed',
    '/explore/kalshi/KXA-B',
    '/explore/kalshi/KXA-B?at=embed',
    '/status?embed',
    '/docs?embed',
  ])('is not allowed for another page: %s', async (path) => {
    expect(await headersOf(path, '*')).toEqual(["frame-ancestors 'none'", 'DENY'])
  })
})

describe('pages of other origins', () => {
  const LISTED = 'https://charts.example'
  const app = (corsOrigins: ReadonlySet<string> | '*' | null) => testApp({ config: { ...NO_TOKENS, corsOrigins } })
  const from = (origin: string, more: Record<string, string> = {}) => ({ headers: { ...AUTHORIZED, origin, ...more } })
  const preflight = (origin: string, method = 'GET') => ({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
  })
  const allowed = 'access-control-allow-origin'

  test.each([`/kalshi/market/date-range?ticker=${TICKER}`, '/api/v1/polymarket/market/list', '/health', '/docs/json'])(
    'read %s only if their origin is listed',
    async (path) => {
      const listed = await ask(app(new Set([LISTED])), path, from(LISTED))
      expect(listed.headers.get(allowed)).toBe(LISTED)
      expect(listed.headers.get('access-control-expose-headers')).toInclude('ratelimit')
      const other = await ask(app(new Set([LISTED])), path, from('https://evil.example'))
      expect([other.headers.has(allowed), listed.headers.get('vary'), other.headers.get('vary')]).toEqual([
        false,
        expect.stringContaining('origin'),
        expect.stringContaining('origin'),
      ])
      expect((await ask(app('*'), path, from('https://evil.example'))).headers.get(allowed)).toBe('*')
      expect((await ask(app(null), path, from(LISTED))).headers.has(allowed)).toBe(false)
    },
  )

  test('read refusals, 304 and answers to HEAD, too', async () => {
    const each = app(new Set([LISTED]))
    const path = `/kalshi/market/date-range?ticker=${TICKER}`
    const answers = [
      await ask(each, path, { headers: { origin: LISTED } }),
      await ask(each, path, from(LISTED, { 'if-none-match': '*' })),
      await ask(each, path, { ...from(LISTED), method: 'HEAD' }),
      await ask(each, '/kalshi/market/nothing', from(LISTED)),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 304, 200, 404])
    for (const { headers } of answers) expect(headers.get(allowed)).toBe(LISTED)
  })

  test('may send a preflight, and the answer says what is allowed', async () => {
    const { status, headers } = await ask(app(new Set([LISTED])), '/kalshi/market/list', preflight(LISTED))
    expect([status, headers.get(allowed), headers.get('access-control-allow-methods')]).toEqual([
      204,
      LISTED,
      'GET, HEAD',
    ])
    const mayBeSent = headers.get('access-control-allow-headers')!.split(', ')
    // With Last-Event-ID, a program resumes a stream through `fetch`, which sends it like any other header.
    expect(mayBeSent).toEqual(expect.arrayContaining(['authorization', 'if-none-match', 'last-event-id', 'range']))
    const other = await ask(app(new Set([LISTED])), '/kalshi/market/list', preflight('https://evil.example'))
    expect([other.status, other.headers.has(allowed)]).toEqual([204, false])
  })

  test.each([
    '/keys?user_id=a',
    '/api/v1/keys?user_id=a',
    '/keys/key_1',
    '/usage?user_id=a',
    '/stats',
    '/stats/popular-markets',
    '/user/market/requests/count',
    '/subscriptions/status?user_id=a',
    '/webhooks/stripe',
  ])('never read %s', async (path) => {
    for (const origins of ['*', new Set([LISTED])] as const) {
      const postAnswer = await ask(app(origins), path, preflight(LISTED, 'POST'))
      const answered = await ask(app(origins), path, from(LISTED))
      expect([postAnswer.headers.has(allowed), answered.headers.has(allowed)]).toEqual([false, false])
      expect(answered.status).toBeOneOf([403, 404, 405])
    }
  })
})

// The documentation against the truth: what a real server answers, with the demo's day and real accounts, is what the
// OpenAPI document says, for every endpoint and for the failures that can be brought about.

import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import type { OpenApiDocument } from '../../../src/openapi/document.ts'
import { DEMO, type ServedDemo, serveDemo } from '../../support/demo.ts'
import { strictValidator, type ValidateAnswer } from '../../support/openapi.ts'
import { STORE_KINDS } from '../../support/store.ts'
import { event, type FakeStripe, fakeStripe, PRICES, signatureOf, subscription } from '../../support/stripe.ts'

const ADMIN = { 'x-admin-token': 'the-admin-token' }
const JSON_BODY = { 'content-type': 'application/json' }

const PLANS = {
  default: 'free',
  plans: [
    { id: 'free', name: 'Free', calls_per_month: 10_000, calls_per_second: 1_000, burst: 10_000 },
    { id: 'starter', name: 'Starter', calls_per_month: 1_000_000, stripe_price_ids: [PRICES.starter] },
    { id: 'spent', name: 'Nothing', calls_per_month: 0, stripe_price_ids: [PRICES.pro] },
  ],
}

describe.each(STORE_KINDS)('with a store on %s', (kind) => {
  let stripe: FakeStripe
  let demo: ServedDemo
  let document: OpenApiDocument
  let validate: ValidateAnswer
  let plainKey = { id: '', secret: '' }
  let narrowKey = { id: '', secret: '' }
  const covered = new Map<string, Set<string>>()

  beforeAll(async () => {
    stripe = fakeStripe()
    demo = await serveDemo({ kind, stripe: stripe.settings, adminToken: ADMIN['x-admin-token'], plans: PLANS })
    document = (await (await demo.get('/docs/json')).json()) as OpenApiDocument
    validate = strictValidator(document)
    plainKey = await newKey({ user_id: 'ann', name: 'plain' })
    narrowKey = await newKey({ user_id: 'ann', name: 'narrow', scopes: ['kalshi'], expires_at: '2999-01-01T00:00:00Z' })
  })
  afterAll(async () => {
    await demo[Symbol.asyncDispose]()
    stripe[Symbol.dispose]()
  })

  async function newKey(fields: object): Promise<{ id: string; secret: string }> {
    const init = { method: 'POST', headers: { ...ADMIN, ...JSON_BODY }, body: JSON.stringify(fields) }
    const { data } = (await (await fetch(`${demo.url}/keys`, init)).json()) as {
      data: { key_id: string; api_key: string }
    }
    return { id: data.key_id, secret: data.api_key }
  }

  /** Asks, and holds the answer against what the document says of that operation and status. */
  async function check(id: string, status: number, query: string, init: RequestInit & { path?: string } = {}) {
    const [path, method] = operation(id)
    const filled = init.path ?? path.replace('{key_id}', plainKey.id).replace('{user_id}', 'ann')
    const headers = new Headers({ authorization: `Bearer ${demo.secret}`, ...ADMIN, ...init.headers })
    for (const [name, value] of Array.from(headers)) if (value === '') headers.delete(name)
    const response = await fetch(`${demo.url}/api/v1${filled}${query}`, {
      ...init,
      method: method.toUpperCase(),
      headers,
    })
    const text = await response.text()
    expect([response.status, text.slice(0, 300)]).toEqual([status, expect.any(String)])
    const documented = document.paths[path]?.[method]?.responses[String(status)]
    const type = Object.keys(documented?.content ?? {})[0]
    expect(response.headers.get('content-type')?.split(';')[0]).toBe(type)
    expect(validate(path, method, String(status), type === 'text/plain' ? text : JSON.parse(text))).toEqual([])
    if (type === 'application/problem+json') {
      const { code } = JSON.parse(text) as { code: string }
      expect(Object.keys(documented?.content?.[type]?.examples ?? {})).toContain(code)
    }
    for (const name of Object.keys(documented?.headers ?? {})) {
      if (!CONDITIONAL.includes(name)) expect([name, response.headers.has(name)]).toEqual([name, true])
    }
    covered.set(id, (covered.get(id) ?? new Set()).add(String(status)))
  }

  /** Sent only to clients that take compression. */
  const CONDITIONAL = ['Content-Encoding']

  function operation(id: string): [path: string, method: string] {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) if (operationId === id) return [path, method]
    }
    throw new Error(`no operation ${id}`)
  }

  const KALSHI = `?ticker=${DEMO.kalshiTicker}`
  const POLYMARKET = `?condition_id=${DEMO.conditionId}`
  const TOKEN = `${POLYMARKET}&asset_id=${DEMO.assetIds[0]}`
  const NOON = Date.parse(`${DEMO.date}T12:00:00Z`)
  const DAY = `&date=${DEMO.date}`
  const WINDOW = `&start_timestamp=${NOON}&end_timestamp=${NOON + 3_599_999}`
  const SECONDS = `&start_timestamp=${NOON / 1000}&end_timestamp=${NOON / 1000 + 59}`
  const NOTHING = 'KXNOTHING'

  describe('what is stored', () => {
    test.each([
      ['kalshiOrderbookSummary', `${KALSHI}${DAY}`],
      ['kalshiOrderbookSummary', `${KALSHI}${SECONDS}&resolution=1&fill=range`],
      ['kalshiOrderbookSummary', `${KALSHI}&date=2026-07-19`],
      ['kalshiOrderbookSummary', `?ticker=KXDEMO15M-26JUL200015-15${DAY}&resolution=3600`],
      ['polymarketOrderbookSummary', `${TOKEN}${DAY}&resolution=300`],
      ['polymarketOrderbookSummary', `${TOKEN}${WINDOW}&fill=none`],
      ['kalshiMarketData', `${KALSHI}${DAY}&limit=100000`],
      ['kalshiMarketData', `${KALSHI}&date=2026-07-19`],
      ['polymarketMarketData', `${POLYMARKET}${DAY}&limit=100000`],
      ['polymarketMarketData', `${TOKEN}${DAY}&offset=5&limit=10`],
      ['kalshiMarketDataRange', `${KALSHI}${WINDOW}`],
      ['kalshiMarketDataRange', `${KALSHI}${SECONDS}&limit=1`],
      ['polymarketMarketDataRange', `${POLYMARKET}${WINDOW}&limit=10`],
      ['kalshiMarketList', ''],
      ['kalshiMarketList', '?prefix=kxdemoday&limit=1'],
      ['polymarketMarketList', '?limit=2'],
      ['kalshiDateRange', KALSHI],
      ['kalshiDateRange', `?ticker=${NOTHING}`],
      ['polymarketDateRange', POLYMARKET],
      ['kalshiCoverage', KALSHI],
      ['kalshiCoverage', `?ticker=${NOTHING}`],
      ['polymarketCoverage', POLYMARKET],
      ['kalshiMarketList', '?details=true&limit=3'],
      ['polymarketMarketList', '?details=true'],
      ['kalshiMarketInfo', KALSHI],
      ['polymarketMarketInfo', POLYMARKET],
      ['kalshiCalendar', ''],
      ['kalshiCalendar', '?from=2026-04-20&to=2026-07-20'],
      ['polymarketCalendar', ''],
      ['kalshiActiveMarkets', `?${DAY.slice(1)}&by=volume`],
      ['polymarketActiveMarkets', `?${DAY.slice(1)}`],
      ['search', '?q=springfield'],
      ['search', '?q=kxdemo&venue=kalshi&limit=2'],
      ['search', '?q=nothing+of+it'],
      ['lookupSlug', `?slug=${DEMO.slug}`],
      ['health', ''],
      ['monitoringStatus', ''],
      ['metrics', ''],
    ])('%s%s', async (id, query) => check(id, 200, query))
  })

  describe('accounts', () => {
    const post = (body: object) => ({ body: JSON.stringify(body), headers: JSON_BODY })
    const urls = { success_url: 'https://example.com/thanks', cancel_url: 'https://example.com/back' }

    test('keys', async () => {
      await check('createKey', 200, '?user_id=ann&name=made')
      await check(
        'createKey',
        200,
        '',
        post({ user_id: 'ann', name: 'both', scopes: ['kalshi'], expires_at: '2999-01-01T00:00:00Z' }),
      )
      await check('listKeys', 200, '?user_id=ann')
      await check('keyLastUsed', 200, '')
      await check('keyName', 200, '')
      await check('rotateKey', 200, '?user_id=ann')
      await check('revokeKey', 200, '?user_id=ann')
      await check('revokeKey', 404, '?user_id=ann')
      await check('rotateKey', 404, '?user_id=ann')
      await check('keyName', 404, '', { path: '/keys/key_none/name' })
      await check('keyLastUsed', 404, '', { path: '/keys/key_none/last-used' })
      await check('createKey', 400, '')
      await check('createKey', 400, '', { body: '{', headers: JSON_BODY })
      await check('createKey', 413, '', post({ user_id: 'ann', name: 'n'.repeat(20_000) }))
      await check('createKey', 415, '', { body: 'user_id=ann', headers: { 'content-type': 'text/plain' } })
    })

    test('usage', async () => {
      await check('usage', 200, '?user_id=ann')
      await check('usage', 200, '?user_id=nobody')
      await check('requestCount', 200, '')
      await check('requestCountByHour', 200, '?start_time=2026-01-01&end_time=2026-12-31')
      await check('requestCountByHour', 200, `?start_time=${NOON}&end_time=${NOON}`)
      await check('requestCountByHour', 400, '?start_time=2020-01-01&end_time=2026-12-31')
      await check('recentRequests', 200, '')
      await check('stats', 200, '')
      await check('popularMarkets', 200, '')
    })

    test('billing', async () => {
      const billing = { 'content-type': 'application/json' }
      await check('subscriptionStatus', 200, '?user_id=ann')
      await check('createPortal', 404, '', post({ user_id: 'nobody', return_url: urls.cancel_url }))
      await check('createCheckout', 400, '', post({ user_id: 'ann', email: 'ann@example.com', ...urls, tier: 'free' }))
      await check('createCheckout', 200, '', post({ user_id: 'bob', email: 'bob@example.com', ...urls, tier: PAID }))
      const payload = event('customer.subscription.created', subscription(), Math.floor(Date.now() / 1_000))
      const signature = await signatureOf(payload)
      await check('stripeWebhook', 200, '', { body: payload, headers: { ...billing, 'stripe-signature': signature } })
      await check('stripeWebhook', 200, '', { body: payload, headers: { ...billing, 'stripe-signature': signature } })
      await check('stripeWebhook', 400, '', { body: payload, headers: { ...billing, 'stripe-signature': 't=1,v1=00' } })
      await check('subscriptionStatus', 200, '?user_id=ann')
      await check('createPortal', 200, '', post({ user_id: 'ann', return_url: urls.cancel_url }))
      await check('createCheckout', 409, '', post({ user_id: 'ann', email: 'ann@example.com', ...urls, tier: PAID }))
      const spent = subscription({ id: 'sub_2', user: 'eve', price: PRICES.pro })
      const bought = event('customer.subscription.created', spent, Math.floor(Date.now() / 1_000))
      const signed = { ...billing, 'stripe-signature': await signatureOf(bought) }
      await check('stripeWebhook', 200, '', { body: bought, headers: signed })
      const { secret } = await newKey({ user_id: 'eve', name: 'spent' })
      await check('kalshiMarketList', 429, '', { headers: { authorization: `Bearer ${secret}` } })
      const log = spyOn(console, 'error').mockImplementation(() => undefined)
      stripe.isAway = true
      await check('createPortal', 503, '', post({ user_id: 'ann', return_url: urls.cancel_url }))
      stripe.isAway = false
      log.mockRestore()
    })
    const PAID = 'starter'
  })

  describe('failures', () => {
    const market = [
      ['kalshiOrderbookSummary', `${KALSHI}${DAY}`],
      ['polymarketOrderbookSummary', `${TOKEN}${DAY}`],
      ['kalshiMarketData', `${KALSHI}${DAY}`],
      ['polymarketMarketData', `${POLYMARKET}${DAY}`],
      ['kalshiMarketDataRange', `${KALSHI}${WINDOW}`],
      ['polymarketMarketDataRange', `${POLYMARKET}${WINDOW}`],
      ['kalshiMarketList', ''],
      ['polymarketMarketList', ''],
      ['kalshiDateRange', KALSHI],
      ['polymarketDateRange', POLYMARKET],
      ['kalshiCoverage', KALSHI],
      ['polymarketCoverage', POLYMARKET],
    ] as const

    test.each(market)('%s without a key, with a wrong parameter, under a key for another venue', async (id, query) => {
      await check(id, 401, query, { headers: { authorization: '' } })
      await check(id, 401, query, { headers: { authorization: 'Bearer bb_unknown' } })
      await check(id, 400, `${query}${query === '' ? '?' : '&'}unheard_of=1`)
      if (id.startsWith('polymarket')) {
        await check(id, 403, query, { headers: { authorization: `Bearer ${narrowKey.secret}` } })
      }
    })

    test.each(market)('%s with the tag that it had is 304 without a body', async (id, query) => {
      const [path, method] = operation(id)
      const first = await demo.get(`/api/v1${path}${query}`)
      await first.text()
      const again = await demo.get(`/api/v1${path}${query}`, { 'if-none-match': first.headers.get('etag') ?? '' })
      expect([again.status, await again.text()]).toEqual([304, ''])
      const documented = Object.keys(document.paths[path]?.[method]?.responses['304']?.headers ?? {})
      expect(documented.filter((name) => !CONDITIONAL.includes(name) && !again.headers.has(name))).toEqual([])
    })

    test('those of an endpoint alone', async () => {
      await check('kalshiOrderbookSummary', 404, `?ticker=${NOTHING}${DAY}`)
      await check('kalshiMarketData', 404, `?ticker=${NOTHING}${DAY}`)
      await check('kalshiMarketDataRange', 404, `?ticker=${NOTHING}${WINDOW}`)
      await check('kalshiOrderbookSummary', 400, `${KALSHI}&start_timestamp=1&end_timestamp=9000000&resolution=1`)
      await check('polymarketMarketData', 400, `${POLYMARKET}&date=2026-01-31`)
      await check('polymarketMarketDataRange', 400, `${POLYMARKET}&start_timestamp=1&end_timestamp=2`)
      await check('kalshiMarketDataRange', 400, `${KALSHI}${WINDOW}&cursor=AAAA`)
      await check('lookupSlug', 404, '?slug=no-such-slug')
      await check('health', 400, '?a=1&a=2')
      await check('kalshiMarketList', 414, `?prefix=${'K'.repeat(10_000)}`)
    })

    test('management without the admin token, and with a wrong one', async () => {
      const management = Object.values(document.paths).flatMap((methods) => Object.values(methods))
      const ids = management
        .filter(({ security }) => 'adminToken' in (security[0] ?? {}))
        .map((each) => each.operationId)
      expect(ids).toHaveLength(15)
      for (const id of ids) {
        const body = operation(id)[1] === 'post' ? { body: '{}' } : {}
        await check(id, 403, '', { ...body, headers: { ...JSON_BODY, 'x-admin-token': 'wrong-token' } })
        await check(id, 401, '', { ...body, headers: { ...JSON_BODY, 'x-admin-token': '' } })
      }
    })
  })

  test('nothing in the document was left unasked', () => {
    const ids = Object.values(document.paths).flatMap((each) =>
      Object.values(each).map(({ operationId }) => operationId),
    )
    expect(ids.filter((id) => !covered.get(id)?.has('200'))).toEqual([])
  })
})

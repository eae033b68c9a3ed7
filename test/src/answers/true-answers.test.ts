// long: a folder and a cluster answer every question
// Compares the OpenAPI document with the answers of a real server, which has the demo's day and real accounts: for
// every endpoint, and for every failure that a test can cause.

import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import type { OpenApiDocument } from '../../../src/openapi/document.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { DEMO, type ServedDemo, serveDemo } from '../../support/demo.ts'
import { strictValidator, type ValidateAnswer } from '../../support/openapi.ts'
import { SERVED_STORE_KINDS } from '../../support/store.ts'
import { event, type FakeStripe, fakeStripe, PRICES, signatureOf, subscription } from '../../support/stripe.ts'
import {
  DAY,
  FILE_PATHS,
  KALSHI,
  NOON,
  NOTHING,
  OF_BOOKS,
  OF_MARKETS,
  ONE_EACH,
  OTHERS,
  POLYMARKET,
  WINDOW,
} from './good-requests.ts'

/** The day of the demo with fewer records. It has the ids of the demo, and one market with several blocks. */
const day = syntheticDay({ date: DEMO.date, kalshiRecords: 40_000, polymarketRecords: 12_000 })
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

describe.each(SERVED_STORE_KINDS)('with a store on %s', (kind) => {
  let stripe: FakeStripe
  let demo: ServedDemo
  let document: OpenApiDocument
  let validate: ValidateAnswer
  let plainKey = { id: '', secret: '' }
  let narrowKey = { id: '', secret: '' }
  const covered = new Map<string, Set<string>>()

  beforeAll(async () => {
    stripe = fakeStripe()
    demo = await serveDemo({ kind, day, stripe: stripe.settings, adminToken: ADMIN['x-admin-token'], plans: PLANS })
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

  type Init = RequestInit & { path?: string }

  /** Sends a request. Compares the answer with the document, for that operation, status and type. */
  async function check(id: string, status: number, query: string, init: Init = {}) {
    const [path, method] = operation(id)
    const filled = init.path || path.replace('{key_id}', plainKey.id).replace('{user_id}', 'ann')
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
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    expect(Object.keys(documented?.content ?? {})).toContain(type)
    const answer = type.endsWith('json') && type !== 'application/x-ndjson' ? JSON.parse(text) : text
    expect(validate(path, method, String(status), answer, type)).toEqual([])
    if (type === 'application/problem+json') {
      expect(Object.keys(documented?.content?.[type]?.examples ?? {})).toContain(answer.code)
    }
    const names = Object.keys(documented?.headers ?? {})
    const missed = names.filter((name) => !response.headers.has(name))
    expect(missed.filter((name) => !CONDITIONAL.includes(name) && !IN_ENVELOPE.has(name))).toEqual([])
    const rows = Object.fromEntries(
      [...IN_ENVELOPE.keys()].flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    )
    expect(names).toEqual(expect.arrayContaining(Object.keys(rows)))
    if (answer !== text) expect(rows).toEqual({})
    covered.set(id, (covered.get(id) ?? new Set()).add(String(status)))
    return { answer, rows, type }
  }

  /** Headers that are sent only under some condition. */
  const CONDITIONAL = ['Content-Encoding', 'X-Errors']

  /** Headers of rows in other formats than JSON, and the JSON fields with the same values. */
  const IN_ENVELOPE = new Map([
    ['X-Data-Count', ['data_count', 'data_points']],
    ['X-Has-More', ['has_more']],
    ['X-Next-Cursor', ['next_cursor']],
    ['X-Total-Count', ['total_count']],
  ])

  function operation(id: string): [path: string, method: string] {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) if (operationId === id) return [path, method]
    }
    throw new Error(`no operation ${id}`)
  }

  describe('stored data', () => {
    test.each([...OF_BOOKS, ...OF_MARKETS, ...OTHERS, ...FILE_PATHS])('$id$path$query', async ({ id, query, path }) => {
      await check(id, 200, query, { path })
    })

    test.each(FILE_PATHS)('a part of $path', async ({ id, path }) => {
      await check(id, 206, '', { path, headers: { range: 'bytes=2-9' } })
      await check(id, 416, '', { path, headers: { range: 'bytes=999999999-' } })
    })

    test('rows in every format have headers that match the envelope of JSON', async () => {
      const formatsOf = (id: string) => {
        const [path, method] = operation(id)
        const { parameters = [], responses } = document.paths[path]![method]!
        const formats = parameters.find(({ name }) => name === 'format')?.schema.enum ?? ['json']
        expect(Object.keys(responses['200']?.content ?? {})).toHaveLength(formats.length)
        return formats.filter((format) => format !== 'json')
      }
      const types = new Set<string>()
      for (const { id, query } of OF_BOOKS) {
        const { answer } = await check(id, 200, query)
        const envelopeValues = [...IN_ENVELOPE].map(
          ([name, fields]) => [name, fields.map((field) => answer[field])] as const,
        )
        const expected = envelopeValues.flatMap(([name, values]) => {
          const value = values.find((each) => each !== undefined && each !== null)
          return value === undefined ? [] : [[name, String(value)]]
        })
        for (const format of formatsOf(id)) {
          const { rows, type } = await check(id, 200, `${query}&format=${format}`)
          expect([id, query, format, rows]).toEqual([id, query, format, Object.fromEntries(expected)])
          types.add(type)
        }
      }
      expect(types.size).toBe(4)
    })
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

    test('links to data', async () => {
      await check('createDownloadTicket', 200, '', post({ path: `/kalshi/market/data${KALSHI}${DAY}` }))
      await check('createDownloadTicket', 400, '', post({ path: '/keys' }))
      await check('createDownloadTicket', 401, '', { ...post({ path: '/kalshi/market/list' }), ...WITHOUT_KEY })
    })
    const WITHOUT_KEY = { headers: { ...JSON_BODY, authorization: '' } }

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
    test.each(ONE_EACH)('$id without a key, with a wrong parameter, for another venue', async ({ id, query, path }) => {
      await check(id, 401, query, { path, headers: { authorization: '' } })
      await check(id, 401, query, { path, headers: { authorization: 'Bearer bb_unknown' } })
      await check(id, 400, `${query}${query === '' ? '?' : '&'}unheard_of=1`, { path })
      if (id.startsWith('polymarket')) {
        await check(id, 403, query, { path, headers: { authorization: `Bearer ${narrowKey.secret}` } })
      }
    })

    test.each(ONE_EACH)('$id with an earlier tag is 304 without a body', async ({ id, query, path }) => {
      const [template, method] = operation(id)
      const target = `/api/v1${path || template}${query}`
      const first = await demo.get(target)
      await first.text()
      const again = await demo.get(target, { 'if-none-match': first.headers.get('etag') ?? '' })
      expect([again.status, await again.text()]).toEqual([304, ''])
      const documented = Object.keys(document.paths[template]?.[method]?.responses['304']?.headers ?? {})
      expect(documented.filter((name) => !CONDITIONAL.includes(name) && !again.headers.has(name))).toEqual([])
    })

    test('failures of a single endpoint', async () => {
      await check('kalshiOrderbookSummary', 404, `?ticker=${NOTHING}${DAY}`)
      await check('kalshiMarketData', 404, `?ticker=${NOTHING}${DAY}`)
      await check('kalshiMarketDataRange', 404, `?ticker=${NOTHING}${WINDOW}`)
      await check('kalshiOrderbookSummary', 400, `${KALSHI}&start_timestamp=1&end_timestamp=9000000&resolution=1`)
      await check('polymarketMarketData', 400, `${POLYMARKET}&date=2026-01-31`)
      await check('polymarketMarketDataRange', 400, `${POLYMARKET}&start_timestamp=1&end_timestamp=2`)
      await check('kalshiMarketDataRange', 400, `${KALSHI}${WINDOW}&cursor=AAAA`)
      await check('lookupSlug', 404, '?slug=no-such-slug')
      await check('kalshiFile', 404, '', { path: `/kalshi/files/2026-07-19/${DEMO.kalshiTicker}/trades.parquet` })
      await check('kalshiBookOfMany', 404, `?tickers=${NOTHING}`)
      await check('kalshiBook', 404, `?ticker=${NOTHING}`)
      await check('health', 400, '?a=1&a=2')
      await check('kalshiMarketList', 414, `?prefix=${'K'.repeat(40_000)}`)
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

  test('the tests request every operation of the document', () => {
    // WebSockets and streams have their own tests.
    const operations = Object.values(document.paths).flatMap((each) => Object.values(each))
    const ids = operations.filter(({ responses }) => responses['101'] === undefined).map((each) => each.operationId)
    expect(ids.filter((id) => !covered.get(id)?.has('200'))).toEqual([])
  })
})

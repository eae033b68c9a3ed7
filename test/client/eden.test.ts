// Uses the package's types for TypeScript with Eden against a real server. `bun run typecheck` does the other half of
// the test: the compiler checks the types in this file.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { treaty } from '@elysiajs/eden'
import type { App, Bucket, KalshiRecord } from 'backbook'
import { DEMO, type ServedDemo, serveDemo } from '../support/demo.ts'

let demo: ServedDemo
let client: ReturnType<typeof clientOf>

const clientOf = ({ url, secret }: ServedDemo) =>
  treaty<App>(url, { headers: { authorization: `Bearer ${secret}` }, parseDate: false }).api.v1

beforeAll(async () => {
  demo = await serveDemo()
  client = clientOf(demo)
})
afterAll(async () => {
  await demo[Symbol.asyncDispose]()
})

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const is = <_ extends true>() => undefined

test('a summary has types down to its candles', async () => {
  const query = { ticker: DEMO.kalshiTicker, date: DEMO.date, resolution: 3600 }
  const { data, error } = await client.kalshi.market['orderbook-summary'].get({ query })
  if (error) throw error
  is<Same<typeof data.data, Bucket[]>>()
  is<Same<(typeof data.data)[number]['best_bid_ohlc']['open'], number | null>>()
  is<Same<typeof data.date, string | null>>()
  expect(data.data_points).toBe(24)
  expect(data.data.every(({ best_bid_ohlc: { low, high } }) => low !== null && high !== null && low <= high)).toBe(true)
  expect(data.date).toBe('2026-07-20')
})

test('pages are followed by cursor', async () => {
  const start = Date.parse(DEMO.date)
  const bounds = { start_timestamp: start, end_timestamp: start + 3_599_999 }
  const query: { cursor?: string } & typeof bounds & { ticker: string } = { ticker: DEMO.kalshiTicker, ...bounds }
  const records: KalshiRecord[] = []
  for (;;) {
    const { data, error } = await client.kalshi.market.data.range.get({ query: { ...query, limit: 1000 } })
    if (error) throw error
    records.push(...data.data)
    if (data.next_cursor === null) break
    query.cursor = data.next_cursor
  }
  expect(records.length).toBeGreaterThan(1000)
  expect(records[0]?.type).toBe('snapshot')
})

test('the type of a failure follows from its status, down to its possible codes', async () => {
  const query = { ticker: 'KXNONE', date: DEMO.date }
  const { data, error, status } = await client.kalshi.market['orderbook-summary'].get({ query })
  expect([data, status]).toEqual([null, 404])
  if (error?.status !== 404) throw new Error('404 was expected')
  is<Same<typeof error.value.code, 'market_not_stored'>>()
  expect(error.value.code).toBe('market_not_stored')
})

test('paths with a parameter, bodies and methods have types', async () => {
  const made = await client.keys.post({ user_id: 'bob', name: 'laptop' })
  const keyId = made.data?.data.key_id ?? ''
  is<Same<NonNullable<typeof made.data>['data']['expires_at'], string | undefined>>()
  const name = await client.keys({ key_id: keyId }).name.get()
  expect(name.data).toEqual({ key_id: keyId, name: 'laptop' })
  const revoked = await client.keys({ key_id: keyId }).delete(undefined, { query: { user_id: 'bob' } })
  expect(revoked.data?.success).toBe(true)
})

test('a request that an endpoint does not accept does not compile', () => {
  const never = () => [
    // @ts-expect-error: ticker is required
    client.kalshi.market['orderbook-summary'].get({ query: { date: DEMO.date } }),
    // @ts-expect-error: no such fill
    client.kalshi.market['orderbook-summary'].get({ query: { ticker: 'T', date: DEMO.date, fill: 'all' } }),
    // @ts-expect-error: no such endpoint
    client.kalshi.market.prices,
  ]
  expect(never).toBeFunction()
})

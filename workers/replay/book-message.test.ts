// Books become messages of their venue. Loaded as a capture of its own, each message gives the stored book.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { Venue } from '../../storage/venue.ts'
import { memoryStore } from '../../test/support/memory-store/memory-store.ts'
import { gap, snapshot, T0 } from '../../test/support/replay/kalshi-lines.ts'
import { TestStore } from '../../test/support/store.ts'
import { bookAt, type Instant } from '../instant/book-at.ts'
import { Random } from '../synthetic/random.ts'
import { syntheticDay } from '../synthetic/synthetic-day.ts'
import { bookMessage } from './book-message.ts'

const DATE = '2026-07-20'
const DAY = syntheticDay({ date: DATE, kalshiRecords: 9_000, polymarketRecords: 6_000 })

let store: TestStore
beforeAll(async () => {
  store = new TestStore()
  await store.loadLines('kalshi.ndjson', [...DAY.kalshiLines])
  await store.loadLines('polymarket.ndjson', [...DAY.polymarketLines])
})
afterAll(() => store.close())

const ALL = { depth: 10_000 }

/** Returns the book of a store that holds only this message. */
async function loaded(venue: Venue, market: string, book: string, message: string) {
  const made = new TestStore(() => memoryStore())
  const event = venue === 'kalshi' ? `{"type":"orderbook_snapshot","sid":1,"seq":1,"msg":${message}}` : message
  await made.loadLines('one.ndjson', [`{"recv_ms":${dateStartMs(DATE)},"event":${event}}`])
  const found = await bookAt(made.store, { venue, market, book, at: { ms: Date.now() }, ...ALL })
  await made.close()
  return { bids: found.bids, asks: found.asks, tick_size: found.tick_size, trust: found.trust }
}

const BOOKS: [Venue, () => [market: string, book: string]][] = [
  ['kalshi', () => [DAY.kalshiTicker, DAY.kalshiTicker]],
  ['polymarket', () => [DAY.conditionId, DAY.assetIds[0]]],
  ['polymarket', () => [DAY.conditionId, DAY.assetIds[1]]],
]

test.each(BOOKS)('%s: at instants and at records of a day', async (venue, names) => {
  const [market, book] = names()
  const random = new Random(5, book)
  const { recordCount } = (await store.store.catalogue.head({ venue, market, date: DATE }))!
  const instants = Array.from({ length: 12 }, (_, i): Instant => {
    if (i % 2 === 0) return { ms: dateStartMs(DATE) + random.below(DAY_MS) }
    return { date: DATE, record: random.below(recordCount) }
  })
  let known = 0
  for (const at of instants) {
    const message = await bookMessage(store.store, { venue, market, book, at })
    const { bids, asks, tick_size, trust, as_of: asOf } = await bookAt(store.store, { venue, market, book, at, ...ALL })
    expect(message === null).toBe(asOf === null)
    if (message === null) continue
    known++
    expect(await loaded(venue, market, book, message)).toEqual({ bids, asks, tick_size, trust })
  }
  expect(known).toBeGreaterThan(5)
})

test('returns null for a book before its first record, after a gap, and for a market that is not stored', async () => {
  const made = new TestStore()
  const ticker = 'KXGAP-26AUG10'
  await made.loadLines('gap.ndjson', [
    snapshot(ticker, T0, [['0.4000', '1.00']], []),
    gap(ticker, T0 + 1_000, T0 + 2_000),
  ])
  const at = (ms: number) => bookMessage(made.store, { venue: 'kalshi', market: ticker, book: ticker, at: { ms } })
  expect(await at(T0 - 1)).toBeNull()
  expect(JSON.parse((await at(T0 + 999))!)).toEqual({
    ...{ market_ticker: ticker, market_id: 'm-1' },
    yes_dollars_fp: [['0.4000', '1.00']],
  })
  expect(await at(T0 + 1_500)).toBeNull()
  const other = { venue: 'kalshi', market: 'KXNONE', book: 'KXNONE', at: { ms: T0 } } as const
  expect(await bookMessage(made.store, other)).toBeNull()
  await made.close()
})

test("Polymarket's book has the hash that the venue sent of this very state, and the last price of its token", async () => {
  const [book] = DAY.assetIds
  const records = await store.records('polymarket', DAY.conditionId, DATE)
  const last = records.findLastIndex((each) => each.type === 'snapshot' && each['asset_id'] === book)
  const { msg } = records[last]! as { msg: { hash: string; timestamp: string } }
  const request = { venue: 'polymarket', market: DAY.conditionId, book, at: { date: DATE, record: last } } as const
  expect((await bookAt(store.store, { ...request, ...ALL })).verified).toBe(true)
  const message = JSON.parse((await bookMessage(store.store, request))!) as { hash: string; timestamp: string }
  expect([message.hash, message.timestamp]).toEqual([msg.hash, msg.timestamp])
})

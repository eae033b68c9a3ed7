// Captures: records, event times, merged orders and buckets equal those of the slow model. This holds for anything a
// small recorder wrote, for any cut of its file into overlapping parts, and for any order of loading them.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { DAY_MS, dateStartMs } from '../../../storage/units.ts'
import type { Fill } from '../../../workers/requests.ts'
import { CONDITION, NOON, TICKER } from '../../model/lines.ts'
import { loadTexts, type ModelStore } from '../../model/model.ts'
import { type TestStore, withStore } from '../../support/store.ts'
import { property } from '../property.ts'

type Venue = 'polymarket' | 'kalshi'
type Level = { price: string; size: string }
/** A message from a venue about one book. `afterMs` is the time since the message before, by the venue's clock. */
type VenueMessage = { afterMs: number; delayMs: number; isTimed: boolean } & (
  | { what: 'delta'; level: Level; isBid: boolean }
  | { what: 'snapshot'; bids: Level[]; asks: Level[] }
  | { what: 'gap' }
)

/** Prices from whole cents to the finest tick. There are few of them, so that levels repeat. */
const price = fc.oneof(
  fc.integer({ min: 1, max: 99 }).map((cents) => (cents / 100).toFixed(2)),
  fc.integer({ min: 0, max: 1_000 }).map((tick) => (tick / 1_000).toFixed(4)),
  fc.integer({ min: 500_000, max: 500_020 }).map((micros) => (micros / 1e6).toFixed(6)),
  fc.constantFrom('0', '1', '0.5', '.5', '0.50000'),
)
const size = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map(String),
  fc.integer({ min: 0, max: 999 }).map((n) => (n / 100).toFixed(2)),
)
const level = fc.record({ price, size })
const levels = fc.array(level, { maxLength: 4 })
const time = {
  afterMs: fc.oneof(
    fc.constantFrom(0, 0, 1, 40, 999, 1_000),
    fc.integer({ min: -90_000, max: 200_000 }),
    fc.nat(DAY_MS),
  ),
  delayMs: fc.nat(30),
  isTimed: fc.boolean().map((isNot) => !isNot),
}
const venueMessage: fc.Arbitrary<VenueMessage> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ ...time, what: fc.constant('delta' as const), level, isBid: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ ...time, what: fc.constant('snapshot' as const), bids: levels, asks: levels }) },
  { weight: 1, arbitrary: fc.record({ ...time, what: fc.constant('gap' as const) }) },
)
const venue = fc.constantFrom<Venue>('kalshi', 'polymarket')

function polymarketMessage(part: VenueMessage, ms: number): object {
  const timestamp = part.isTimed ? { timestamp: String(ms) } : {}
  const shared = { market: CONDITION, ...timestamp }
  if (part.what === 'gap') return { type: 'gap', venue: 'polymarket', ...shared, asset_id: 'A', msg: gapAt(ms) }
  if (part.what === 'snapshot')
    return { event_type: 'book', ...shared, asset_id: 'A', bids: part.bids, asks: part.asks }
  const change = { asset_id: 'A', ...part.level, side: part.isBid ? 'BUY' : 'SELL' }
  return { event_type: 'price_change', ...shared, price_changes: [change] }
}

function kalshiMessage(part: VenueMessage, ms: number, seq: number): object {
  if (part.what === 'gap') return { type: 'gap', venue: 'kalshi', market: TICKER, msg: gapAt(ms) }
  const head = { market_ticker: TICKER, ...(part.isTimed ? { ts_ms: ms } : {}) }
  const pairs = (all: Level[]) => all.map(({ price, size }) => [price, size])
  const msg =
    part.what === 'snapshot'
      ? { ...head, yes_dollars_fp: pairs(part.bids), no_dollars_fp: pairs(part.asks) }
      : { ...head, price_dollars: part.level.price, delta_fp: part.level.size, side: part.isBid ? 'yes' : 'no' }
  return { type: part.what === 'snapshot' ? 'orderbook_snapshot' : 'orderbook_delta', sid: 1, seq, msg }
}

const gapAt = (ms: number) => ({ reason: 'reconnect', from: ms, to: ms })

function linesOf(of: Venue, parts: VenueMessage[]): string[] {
  let ms = NOON
  return parts.map((part, seq) => {
    ms += part.afterMs
    const event = of === 'kalshi' ? kalshiMessage(part, ms, seq) : polymarketMessage(part, ms)
    return JSON.stringify({ recv_ms: ms + part.delayMs, event })
  })
}

const marketOf = (of: Venue) => (of === 'kalshi' ? TICKER : CONDITION)
const bookOf = (of: Venue) => (of === 'kalshi' ? TICKER : 'A')

async function withCaptures(
  captures: string[][],
  check: (store: TestStore, model: ModelStore) => Promise<void>,
): Promise<void> {
  const model = loadTexts(
    captures.map((lines) => lines.join('\n')),
    Date.now(),
  )
  await withStore(async (store) => {
    for (const [i, lines] of captures.entries()) await store.loadLines(`part-${i}`, lines)
    await check(store, model)
  })
}

async function allRecords(store: TestStore, of: Venue) {
  const records = []
  for (const date of await store.dates(of, marketOf(of))) records.push(await store.records(of, marketOf(of), date))
  return records
}

const modelRecords = (model: ModelStore, of: Venue) =>
  model.dates(of, marketOf(of)).map((date) => model.records(of, marketOf(of), date))

/** A window around the records, in ms or s, and the parameters of its query. */
type SummaryWindow = { fromMs: number; lengthMs: number; isSeconds: boolean; resolution: number; fill: Fill }
const summaryWindow: fc.Arbitrary<SummaryWindow> = fc.record({
  fromMs: fc.integer({ min: -200_000, max: 400_000 }),
  lengthMs: fc.oneof(fc.nat(600_000), fc.nat(2 * DAY_MS)),
  isSeconds: fc.boolean(),
  resolution: fc.integer({ min: 1, max: 3_600 }),
  fill: fc.constantFrom('observed', 'none', 'range'),
})
const BUCKETS_MAX = 2_000

async function checkSummary(
  store: TestStore,
  model: ModelStore,
  of: Venue,
  { fromMs, lengthMs, isSeconds, ...rest }: SummaryWindow,
) {
  const unit = isSeconds ? 1_000 : 1
  const [start, end] = [Math.floor((NOON + fromMs) / unit), Math.floor((NOON + fromMs + lengthMs) / unit)]
  // Limits the number of buckets, because the model is slow.
  const resolution = Math.max(rest.resolution, Math.ceil(lengthMs / 1_000 / BUCKETS_MAX))
  const nowMs = NOON + 30 * DAY_MS
  const range = { fromMs: start * unit, toMs: end * unit + unit - 1 }
  const asks = { venue: of, market: marketOf(of), fill: rest.fill, nowMs }
  const timestampUnit = isSeconds ? 's' : 'ms'
  assert.deepEqual(
    await store.summary({ ...asks, book: bookOf(of), ...range, timestampUnit, resolutionSeconds: resolution }),
    model.summary({ ...asks, assetId: 'A', startTimestamp: start, endTimestamp: end, resolution }),
  )
}

export const captureProperties = [
  property(
    'records and buckets of any window and resolution are those of the model',
    40,
    [
      venue,
      fc.array(venueMessage, { minLength: 1, maxLength: 60 }),
      fc.array(summaryWindow, { minLength: 1, maxLength: 6 }),
    ],
    (of, parts, windows) =>
      withCaptures([linesOf(of, parts)], async (store, model) => {
        assert.deepEqual(await allRecords(store, of), modelRecords(model, of))
        for (const window of windows) await checkSummary(store, model, of, window)
        for (const date of await store.dates(of, marketOf(of))) {
          const dayStart = dateStartMs(date) - NOON
          const day = { ...windows[0]!, fromMs: dayStart, lengthMs: DAY_MS - 1, isSeconds: false }
          await checkSummary(store, model, of, day)
        }
      }),
  ),
  property(
    'overlapping parts of a capture, loaded in any order, give the same records as in the model',
    40,
    [
      venue,
      fc.array(venueMessage, { minLength: 1, maxLength: 40 }),
      fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { minLength: 1, maxLength: 4 }),
    ],
    (of, parts, cuts) => {
      const lines = linesOf(of, parts)
      const captures = cuts.map(([a, b]) => lines.slice(Math.min(a, b), Math.max(a, b) + 1))
      return withCaptures([...captures, captures[0]!], async (store, model) => {
        assert.deepEqual(await allRecords(store, of), modelRecords(model, of))
      })
    },
  ),
  property(
    'if all times differ, parts that together have every line give the store of the whole in any order',
    30,
    [
      venue,
      fc.array(venueMessage, { minLength: 2, maxLength: 40 }),
      fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
    ],
    async (of, parts, cuts, picks) => {
      const rising = parts.map((part) => ({ ...part, afterMs: 1 + Math.abs(part.afterMs % 50_000), isTimed: true }))
      const lines = linesOf(of, rising)
      const half = lines.length >> 1
      const captures = [lines.slice(0, half + 1), lines.slice(half), ...cuts.map(([a, b]) => lines.slice(a, a + b))]
      const shuffled: string[][] = []
      while (captures.length > 0) shuffled.push(...captures.splice(picks.next().value! % captures.length, 1))
      const whole = loadTexts([lines.join('\n')], Date.now())
      await withCaptures(
        shuffled.filter((part) => part.length > 0),
        async (store) => {
          assert.deepEqual(await allRecords(store, of), modelRecords(whole, of))
        },
      )
    },
  ),
]

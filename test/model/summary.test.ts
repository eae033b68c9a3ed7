// Tests books, quotes, opening books and fills, each rule on the smallest capture that shows it (docs/books.md).

import { describe, expect, test } from 'bun:test'
import type { JsonObject } from './json.ts'
import {
  book,
  CONDITION,
  capture,
  DAY,
  kalshiDelta,
  kalshiGap,
  kalshiSnapshot,
  kalshiTrade,
  NOON,
  NOW,
  priceChange,
  received,
  TICKER,
} from './lines.ts'
import { type Bucket, loadTexts, type ModelSummaryRequest } from './model.ts'

const SECOND = 1_000
const DAY_MS = 86_400_000
const HOUR = 3_600_000

type Options = Partial<ModelSummaryRequest>

function summarize(captures: string[], options: Options): Bucket[] {
  const isPolymarket = captures.join().includes(CONDITION)
  const subject = isPolymarket ? { market: CONDITION, assetId: 'A' } : { market: TICKER }
  const venue = isPolymarket ? 'polymarket' : 'kalshi'
  const range = 'startTimestamp' in options ? {} : { date: DAY }
  return loadTexts(captures, NOW).summary({
    venue,
    ...subject,
    ...range,
    resolution: 1,
    fill: 'observed',
    nowMs: NOW,
    ...options,
  })
}

/** Prints each bucket as `seconds after noon: quotes bid×size/ask×size`, with `-` for an empty side. */
function check(captures: string[], expected: string[], options: Options = {}) {
  const side = (price: number | null, size: number) => (price === null ? '-' : `${price}×${size}`)
  const lines = summarize(captures, options).map((bucket) => {
    const { timestamp, quote_count, best_bid, best_bid_size, best_ask, best_ask_size } = bucket
    const seconds = (timestamp < 1e11 ? timestamp * SECOND : timestamp) - NOON
    return `${seconds / SECOND}: ${quote_count} ${side(best_bid, best_bid_size)}/${side(best_ask, best_ask_size)}`
  })
  expect(lines).toEqual(expected)
}

const snapshot = (ms: number, yes = '0.40', no = '0.50') => received(ms, kalshiSnapshot([[yes, '10']], [[no, '20.5']]))
const window = (startSeconds: number, endSeconds: number): Options => ({
  startTimestamp: NOON + startSeconds * SECOND,
  endTimestamp: NOON + endSeconds * SECOND + 999,
})

describe('books', () => {
  test('Kalshi adds signed amounts exactly, and a NO bid is a YES ask', () => {
    const lines = [kalshiDelta(1, '0.41', '0.1'), kalshiDelta(2, '0.41', '0.2'), kalshiDelta(3, '0.52', '3', 'no')]
    check([capture(snapshot(0), ...lines)], ['0: 4 0.41×0.3/0.48×3'])
    check([capture(snapshot(0), ...lines, kalshiDelta(4, '0.41', '-0.3'))], ['0: 5 0.4×10/0.48×3'])
    check([capture(snapshot(0), kalshiDelta(1, '0.40', '-11'))], ['0: 2 -/0.5×20.5'])
  })
  test('Polymarket sets absolute sizes', () => {
    const opening = book(0, [['0.4', '10']], [['0.6', '7']])
    const changes = [
      { price: '0.45', size: '2' },
      { price: '0.6', size: '0', side: 'SELL' },
      { price: '0.4', size: 'x' },
    ]
    check([capture(opening, priceChange(1, ...changes))], ['0: 2 0.45×2/-'])
  })
  test('a delta without a price changes nothing but is a quote', () =>
    check([capture(snapshot(0), kalshiDelta(1, null, '5'))], ['0: 2 0.4×10/0.5×20.5']))
  test('a crossed book is reported as it is', () => {
    const [bucket] = summarize([capture(book(0, [['0.6', '1']], [['0.515', '1']]))], {})
    expect(bucket).toMatchObject({ mid_price: 0.5575, spread: -0.085 })
  })
  const best = (bid: string, ask: string, price = '0.3') => ({ price, size: '5', best_bid: bid, best_ask: ask })
  test('a book without a snapshot takes the best prices that the venue states', () => {
    check([capture(priceChange(0, best('0.3', '0.4')))], ['0: 1 0.3×5/0.4×0'])
    check([capture(priceChange(0, best('', '1')))], ['0: 1 -/-'])
    check([capture(priceChange(0, best('0', '0.9')))], ['0: 1 -/0.9×0'])
    check([capture(priceChange(0, { price: '0.2', size: '1' }))], ['0: 1 0.2×1/-'])
    check([capture(priceChange(0, best('0.1', '0.9'), best('0.3', '0.8', '0.2')))], ['0: 1 0.3×5/0.8×0'])
  })
  test('an established book does not take the stated best prices', () =>
    check([capture(book(0, [['0.4', '1']], []), priceChange(1, best('0.2', '0.9')))], ['0: 2 0.4×1/-']))
  test('after a gap nothing is known until the next snapshot', () => {
    const lines = [snapshot(0), kalshiGap(1_000), kalshiDelta(1_500, '0.3', '1'), snapshot(2_500, '0.2')]
    check([capture(...lines)], ['0: 1 0.4×10/0.5×20.5', '1: 1 -/-', '2: 1 0.2×10/0.5×20.5'])
    const gap = {
      type: 'gap',
      venue: 'polymarket',
      market: CONDITION,
      asset_id: 'A',
      msg: { from: NOON + 1, to: NOON },
    }
    check([capture(book(0, [['0.4', '1']], []), gap, priceChange(2, best('0.3', '0.4')))], ['0: 2 -/-'])
  })
})

describe('quotes', () => {
  const changes = (...times: number[]) => times.map((ms, i) => kalshiDelta(ms, '0.40', String(i + 1)))
  test('consecutive deltas of one venue time are one quote, trades between them do not count', () => {
    const [a, b, c] = changes(1, 1, 2)
    check([capture(snapshot(0), a!, kalshiTrade(1, 't'), b!, c!)], ['0: 3 0.4×16/0.5×20.5'])
  })
  test('a snapshot is always a quote of its own', () =>
    check([capture(book(0, [['0.4', '1']], []), book(0, [['0.3', '1']], []))], ['0: 2 0.3×1/-']))
  test('the venue time is compared at its full resolution', () => {
    const at = (ts: string, size: string) => {
      const line = kalshiDelta(1, '0.40', size)
      return { ...line, msg: { ...line.msg, ts } } as JsonObject
    }
    const [one, two, same] = [at('2026-08-10T12:00:00.0011Z', '1'), at('2026-08-10T12:00:00.0012Z', '2'), '3']
    check([capture(snapshot(0), one!, two!, at('2026-08-10T12:00:00.001200Z', same!))], ['0: 3 0.4×16/0.5×20.5'])
  })
  test('a candle is over the quotes of its bucket, without the book from before it', () => {
    const lines = [snapshot(0), kalshiDelta(1_100, '0.44', '1'), kalshiDelta(1_200, '0.44', '-1')]
    const [, bucket] = summarize([capture(...lines)], {})
    expect(bucket!.best_bid_ohlc).toEqual({ open: 0.44, high: 0.44, low: 0.4, close: 0.4 })
  })
})

describe('which buckets are emitted', () => {
  const lines = [snapshot(0), kalshiDelta(2_500, '0.40', '1')]
  const carried = ['0: 1 0.4×10/0.5×20.5', '1: 0 0.4×10/0.5×20.5', '2: 1 0.4×11/0.5×20.5']
  test('observed: from the first quote to the last', () => check([capture(...lines)], carried))
  test('none: those with a quote', () => check([capture(...lines)], [carried[0]!, carried[2]!], { fill: 'none' }))
  test('range: on to the end of the range, not past now', () => {
    check([capture(...lines)], [...carried, '3: 0 0.4×11/0.5×20.5'], { ...window(-2, 3), fill: 'range' })
    check([capture(...lines)], [...carried, '3: 0 0.4×11/0.5×20.5'], { fill: 'range', nowMs: NOON + 3_999 })
  })
  test('a window that ends before the first quote has no bucket, even within the bucket of that quote', () => {
    for (const fill of ['observed', 'none', 'range'] as const) {
      check([capture(snapshot(500), ...lines.slice(1))], [], { startTimestamp: NOON, endTimestamp: NOON + 499, fill })
    }
  })
  test('a window takes the book from before it, and no quote from after it', () => {
    check([capture(...lines)], carried.slice(1), window(1, 9))
    check([capture(...lines)], [carried[1]!, '2: 0 0.4×10/0.5×20.5'], { ...window(1, 2), endTimestamp: NOON + 2_400 })
  })
  test('bounds in seconds include their last second and label the buckets in seconds', () => {
    const bounds = { startTimestamp: NOON / SECOND + 1, endTimestamp: NOON / SECOND + 2 }
    check([capture(...lines)], carried.slice(1), bounds)
    expect(summarize([capture(...lines)], bounds)[0]!.timestamp).toBe(NOON / SECOND + 1)
  })
  test('buckets are aligned to the day, whose last may be shorter', () => {
    const midnight = NOON + 12 * HOUR
    const text = capture(snapshot(12 * HOUR - 1), kalshiDelta(12 * HOUR, '0.40', '1'))
    const options = { resolution: 3_599, startTimestamp: midnight - 2 * HOUR, endTimestamp: midnight + 1 }
    const starts = summarize([text], options).map(({ timestamp }) => timestamp - midnight)
    expect(starts).toEqual([24 * 3_599_000 - DAY_MS, 0])
  })
})

describe('opening books', () => {
  const tomorrow = (ms: number) => DAY_MS + ms
  const dayOf = (days: number) => new Date(NOON + days * DAY_MS).toISOString().slice(0, 10)
  const first = capture(snapshot(0))
  test('a day that does not begin with a snapshot continues the day before, however long ago', () => {
    const later = capture(kalshiDelta(3 * DAY_MS, '0.40', '1'))
    const buckets = summarize([first, later], { date: dayOf(3), resolution: 3_600 })
    expect(buckets.map(({ quote_count }) => quote_count)).toEqual([...new Array(12).fill(0), 1])
    expect(buckets.map(({ best_bid_size }) => best_bid_size)).toEqual([...new Array(12).fill(10), 11])
  })
  test('the day before such a day is known to its end', () => {
    const later = capture(kalshiDelta(tomorrow(0), '0.40', '1'))
    expect(summarize([first], { resolution: 3_600 }).length).toBe(1)
    expect(summarize([first, later], { resolution: 3_600 }).length).toBe(12)
    expect(summarize([later, first], { resolution: 3_600 }).length).toBe(12)
    expect(summarize([first, later], { resolution: 3_600, nowMs: NOON + 5 * HOUR }).length).toBe(6)
  })
  test('a day that begins with a snapshot needs no earlier day', () => {
    const later = capture(snapshot(tomorrow(0), '0.1'))
    expect(summarize([first, later], { resolution: 3_600 }).length).toBe(1)
    expect(summarize([first, later], { date: dayOf(1), resolution: 3_600 }).length).toBe(1)
  })
  test('a chain of days passes the book on, a gap ends it', () => {
    const quiet = capture(kalshiTrade(tomorrow(0), 't'))
    const third = capture(kalshiDelta(tomorrow(DAY_MS), '0.40', '1'))
    const date = dayOf(2)
    expect(summarize([first, quiet, third], { date, resolution: 3_600 })[0]!.best_bid).toBe(0.4)
    expect(summarize([first, quiet, third], { date: dayOf(1), resolution: 3_600 }).length).toBe(24)
    const broken = capture(kalshiTrade(tomorrow(0), 't'), kalshiGap(tomorrow(1)))
    expect(summarize([first, broken, third], { date, resolution: 3_600 }).length).toBe(1)
  })
  test('levels observed on earlier days without a snapshot stay, but do not make a day known from its start', () => {
    const early = capture(priceChange(0, { price: '0.1', size: '270' }))
    const stated = { price: '0.05', size: '1', best_bid: '0.1', best_ask: '0.2' }
    const buckets = summarize([early, capture(priceChange(tomorrow(0), stated))], { date: dayOf(1), resolution: 3_600 })
    expect(buckets).toMatchObject([{ quote_count: 1, best_bid: 0.1, best_bid_size: 270, best_ask_size: 0 }])
  })
  test('nothing is emitted where no day is stored', () => {
    const later = capture(kalshiDelta(tomorrow(DAY_MS), '0.40', '1'))
    const range = { startTimestamp: NOON, endTimestamp: NOON + 2 * DAY_MS, resolution: 3_600 }
    const hours = summarize([first, later], range).map(({ timestamp }) => (timestamp - NOON) / HOUR)
    expect(hours).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].concat([36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48]),
    )
  })
})

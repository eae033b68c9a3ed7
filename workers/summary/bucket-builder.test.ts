// Quotes make buckets: the top at the end, the number of quotes, and candles over the values at each quote.

import { expect, test } from 'bun:test'
import { NO_PRICE, type OrderBook, type Top } from '../book/order-book.ts'
import { Random } from '../synthetic/random.ts'
import { BucketBuilder } from './bucket-builder.ts'
import { ALL_CANDLES, ASK, BID, BucketColumns, type Candle, MID, NO_VALUE, SPREAD } from './bucket-columns.ts'
import { BucketGrid } from './bucket-grid.ts'

const NOON = Date.parse('2026-08-10T12:00:00Z')
const grid = new BucketGrid(60)
const FIRST = grid.numberAt(NOON)
const top = (bid: number, ask: number): Top => ({ bid, bidSize: bid < 0 ? 0 : 1, ask, askSize: ask < 0 ? 0 : 2 })

const built = (range: { fromMs: number; toMs: number }, candles?: readonly Candle[]) =>
  new BucketBuilder(grid, range, new BucketColumns(4), candles)

function rowsOf(columns: BucketColumns, candles: readonly Candle[] = ALL_CANDLES) {
  return Array.from({ length: columns.count }, (_, i) => ({
    number: columns.numbers[i]! - FIRST,
    quotes: columns.quoteCounts[i],
    top: [columns.bids[i], columns.bidSizes[i], columns.asks[i], columns.askSizes[i]],
    candles: candles.map((at) => [...columns.candles.subarray(16 * i + at, 16 * i + at + 4)]),
  }))
}

const NONE = [NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE]

test('two buckets, the state before them, and no quote after the range', () => {
  const builder = built({ fromMs: NOON, toMs: NOON + 119_999 })
  builder.begin(top(40, 60))
  builder.quoteAt(NOON - 1, top(41, 60))
  builder.quoteAt(NOON, top(42, 60))
  builder.quoteAt(NOON + 59_999, top(40, 70))
  builder.quoteAt(NOON + 60_000, top(NO_PRICE, 70))
  builder.quoteAt(NOON + 120_000, top(1, 2))
  expect(rowsOf(builder.finish())).toEqual([
    { number: Number.NEGATIVE_INFINITY, quotes: 0, top: [41, 1, 60, 2], candles: [NONE, NONE, NONE, NONE] },
    {
      number: 0,
      quotes: 2,
      top: [40, 1, 70, 2],
      candles: [
        [42, 42, 40, 40],
        [60, 70, 60, 70],
        [102, 110, 102, 110],
        [18, 30, 18, 30],
      ],
    },
    { number: 1, quotes: 1, top: [NO_PRICE, 0, 70, 2], candles: [NONE, [70, 70, 70, 70], NONE, NONE] },
  ])
})

test('a gap and a switch change the state without a quote', () => {
  const builder = built({ fromMs: NOON, toMs: NOON + 300_000 })
  builder.begin(top(40, 60))
  builder.gap(undefined as never, 1, NOON + 61_000)
  builder.switched(undefined as never, { top: () => top(30, 50) } as OrderBook, NOON + 120_000)
  builder.setTop(NOON + 400_000, top(1, 2))
  const rows = rowsOf(builder.finish()).slice(1)
  expect(rows.map(({ number, quotes, top: of }) => [number, quotes, of])).toEqual([
    [1, 0, [NO_PRICE, 0, NO_PRICE, 0]],
    [2, 0, [30, 1, 50, 2]],
  ])
  expect(rows.flatMap(({ candles }) => candles)).toEqual(Array(8).fill(NONE))
})

test.each([1, 2, 3])('finer buckets make the same as their quotes, seed %d', (seed) => {
  const random = new Random(seed, 'buckets')
  const range = { fromMs: NOON, toMs: NOON + 1_200_000 }
  let ms = NOON
  const quotes = Array.from({ length: 400 }, () => {
    ms += random.pick([0, 10, 400, 5_000, 90_000])
    return [ms, top(random.pick([NO_PRICE, 40, 41, 45]), random.pick([NO_PRICE, 60, 59, 55]))] as const
  }).filter(([at]) => at <= range.toMs)
  const candles = random.pick([ALL_CANDLES, [BID, SPREAD], [ASK], [MID]] as const)
  const seconds = new BucketGrid(1)
  const [direct, fine, joined] = [
    built(range, candles),
    new BucketBuilder(seconds, range, new BucketColumns(4)),
    built(range, candles),
  ]
  for (const builder of [direct, fine, joined]) builder.begin(top(40, 60))
  for (const [at, of] of quotes) {
    direct.quoteAt(at, of)
    fine.quoteAt(at, of)
  }
  const rows = fine.finish()
  for (let row = 1; row < rows.count; row++) joined.addRow(rows, row, seconds.startMs(rows.numbers[row]!))
  const expected = rowsOf(direct.finish(), candles)
  expect(rowsOf(joined.finish(), candles)).toEqual(expected)
  const copied = built(range, candles)
  copied.begin(top(40, 60))
  copied.addBuckets(direct.columns, 1, direct.columns.count)
  expect(rowsOf(copied.columns, candles)).toEqual(expected)
})

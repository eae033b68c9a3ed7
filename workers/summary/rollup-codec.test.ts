// Rows of a rollup come back unchanged, with the requested candles.

import { expect, test } from 'bun:test'
import { NO_PRICE } from '../book/order-book.ts'
import { Random } from '../synthetic/random.ts'
import { BucketBuilder } from './bucket-builder.ts'
import { ALL_CANDLES, ASK, BID, BucketColumns, type Candle, MID, SPREAD } from './bucket-columns.ts'
import { BucketGrid } from './bucket-grid.ts'
import { decodeRollup, encodeRollup } from './rollup-codec.ts'

function madeRows(seed: number): BucketColumns {
  const random = new Random(seed, 'rollup')
  const builder = new BucketBuilder(
    new BucketGrid(1),
    { fromMs: 0, toMs: Number.POSITIVE_INFINITY },
    new BucketColumns(4),
  )
  let ms = Date.parse('2026-08-10T12:00:00Z')
  for (let i = 0; i < 300; i++) {
    ms += random.pick([0, 100, 900, 60_000])
    const [bid, ask] = [random.pick([NO_PRICE, 400_000 + random.below(9)]), random.pick([NO_PRICE, 500_000, 510_000])]
    builder.quoteAt(ms, { bid, bidSize: random.below(2 ** 45), ask, askSize: random.below(9) })
  }
  return builder.finish()
}

const valuesOf = (rows: BucketColumns, candles: readonly Candle[]) => ({
  ...{ numbers: rows.numbers.slice(0, rows.count), quotes: rows.quoteCounts.slice(0, rows.count) },
  ...{ bids: rows.bids.slice(0, rows.count), asks: rows.asks.slice(0, rows.count) },
  ...{ bidSizes: rows.bidSizes.slice(0, rows.count), askSizes: rows.askSizes.slice(0, rows.count) },
  candles: candles.map((at) =>
    Array.from({ length: rows.count }, (_, i) => [...rows.candles.subarray(16 * i + at, 16 * i + at + 4)]),
  ),
})

test.each([1, 2, 3])('rows of seed %d', (seed) => {
  const rows = madeRows(seed)
  const bytes = encodeRollup(rows)
  expect(valuesOf(decodeRollup(bytes), ALL_CANDLES)).toEqual(valuesOf(rows, ALL_CANDLES))
  expect(encodeRollup(decodeRollup(bytes))).toEqual(bytes)
  const choices: Candle[][] = [[], [BID], [ASK, SPREAD], [MID]]
  for (const candles of choices) {
    const columnsOf = (expected: number) => new BucketColumns(expected + 100)
    expect(valuesOf(decodeRollup(bytes, { candles, columnsOf }), candles)).toEqual(valuesOf(rows, candles))
  }
})

test('damage is found', () => {
  const bytes = encodeRollup(madeRows(1))
  bytes[20]! ^= 1
  expect(() => decodeRollup(bytes)).toThrow('it does not match its checksum')
})

test('the stored form stays: the checksum over the bytes of four quotes', () => {
  const builder = new BucketBuilder(
    ...([new BucketGrid(1), { fromMs: 0, toMs: Number.POSITIVE_INFINITY }, new BucketColumns(4)] as const),
  )
  const tops = [
    [40, 60],
    [41, NO_PRICE],
    [NO_PRICE, 61],
    [42, 58],
  ] as const
  for (const [i, [bid, ask]] of tops.entries()) builder.quoteAt(400 * i, { bid, bidSize: 1, ask, askSize: 2 })
  const bytes = encodeRollup(builder.finish())
  expect([bytes.length, Buffer.from(bytes.subarray(0, 8)).toString('hex')]).toEqual([324, '84c060027487850d'])
})

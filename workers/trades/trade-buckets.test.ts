// Trades of a bucket give the same prices, counts and exact sums as bigints do.

import { expect, test } from 'bun:test'
import { BucketGrid } from '../summary/bucket-grid.ts'
import { Random } from '../synthetic/random.ts'
import { PRICE_UNITS } from '../table/print-price.ts'
import { NULL } from '../table/table.ts'
import { type BlockTrades, BUY, NO_SIDE } from './block-trades.ts'
import { TradeBuckets } from './trade-buckets.ts'

const SELL = [0, 1, 2].find((side) => side !== BUY && side !== NO_SIDE)!
type Trade = [ms: number, price: number, size: number, side: number]

const tradesOf = (rows: Trade[]) =>
  ({
    count: rows.length,
    timesMs: Float64Array.from(rows, ([ms]) => ms),
    prices: Float64Array.from(rows, ([, price]) => price),
    sizes: Float64Array.from(rows, ([, , size]) => size),
    sides: Int8Array.from(rows, ([, , , side]) => side),
  }) as unknown as BlockTrades

function rowsOf(buckets: TradeBuckets): number[][] {
  return Array.from({ length: buckets.count }, (_, at) => [
    buckets.numbers[at]!,
    ...buckets.columns.map((column) => column[at]!),
  ])
}

function expected(all: Trade[], grid: BucketGrid): number[][] {
  const groups = [...Map.groupBy(all, ([ms]) => grid.numberAt(ms))]
  return groups.map(([number, trades]) => {
    const prices = trades.map(([, price]) => PRICE_UNITS * price)
    const of = (...sides: number[]) => trades.filter(([, , , side]) => sides.includes(side))
    const volume = (some: Trade[]) => Number(`${some.reduce((sum, [, , size]) => sum + BigInt(size), 0n)}e-6`)
    const notional = Number(`${trades.reduce((sum, [, price, size]) => sum + BigInt(price) * BigInt(size), 0n)}e-12`)
    const whole = volume(trades)
    return [
      ...[number, prices[0]!, Math.max(...prices), Math.min(...prices), prices.at(-1)!],
      ...[whole === 0 ? NULL : notional / whole, whole, volume(of(BUY)), volume(of(SELL)), notional],
      ...[trades.length, of(BUY).length, of(SELL).length],
    ]
  })
}

test.each([1, 2])('random trades in pieces, seed %d', (seed) => {
  const random = new Random(seed, 'trades')
  const grid = new BucketGrid(60)
  let ms = Date.parse('2026-08-10T12:00:00Z')
  const all = Array.from({ length: 900 }, (): Trade => {
    ms += random.pick([0, 0, 500, 40_000, 900_000])
    return [ms, random.below(1_000_001), random.pick([0, 1, 2.5e6, 9e14]), random.pick([BUY, SELL, NO_SIDE])]
  })
  const buckets = new TradeBuckets(grid)
  for (let i = 0; i < all.length; i += 130) buckets.add(tradesOf(all.slice(i, i + 130)))
  expect(rowsOf(buckets.finish())).toEqual(expected(all, grid))
  expect(buckets.finish().count).toBe(expected(all, grid).length)
})

test('no trades, no buckets', () => expect(new TradeBuckets(new BucketGrid(60)).finish().count).toBe(0))

// Depth, balance and the price to take a size from a book equal those computed with bigints, to the last digit.

import { expect, test } from 'bun:test'
import { quotient } from '../../test/model/exact.ts'
import { madeBook } from '../../test/support/books/made-book.ts'
import type { OrderBook } from '../book/order-book.ts'
import { Random } from '../synthetic/random.ts'
import { NULL } from '../table/table.ts'
import {
  ASK_COUNT,
  ASK_DEPTH,
  BID_COUNT,
  BID_DEPTH,
  bandPlace,
  DepthReader,
  type DepthShape,
  IMBALANCE,
  MICROPRICE,
  sizePlace,
  widthOf,
} from './depth-row.ts'

type Levels = [price: number, size: number][]
const shape: DepthShape = { levels: 2, bands: [10_000, 50_000], sizes: [1_000_000, 10 ** 15] }

function rowOf(book: OrderBook): Float64Array {
  const row = new Float64Array(3 + widthOf(shape))
  new DepthReader(shape).read(book, row, 3)
  return row.subarray(3)
}
const sum = (values: number[]) => values.reduce((total, value) => total + BigInt(value), 0n)

/** Returns the price to take a size, and how much of the size the levels have. */
function taken(levels: Levels, wanted: number): [number, number] {
  let [left, cost] = [BigInt(wanted), 0n]
  for (const [price, size] of levels) {
    const part = BigInt(size) < left ? BigInt(size) : left
    cost += part * BigInt(price)
    left -= part
  }
  const filled = BigInt(wanted) - left
  return filled === 0n ? [NULL, 0] : [quotient(cost, filled * 1_000_000n), Number(filled)]
}

test.each([1, 2, 3, 4])('random books, seed %d', (seed) => {
  const random = new Random(seed, 'depth')
  for (let i = 0; i < 60; i++) {
    const step = random.pick([100, 1])
    const levels = (from: number, to: number): Levels => {
      const prices = new Set(
        Array.from({ length: random.below(6) }, () => random.between(from / step, to / step) * step),
      )
      return [...prices].sort((a, b) => a - b).map((price) => [price, 1 + random.below(random.pick([9, 2 ** 40]))])
    }
    const [bids, asks] = [levels(420_000, 490_000).reverse(), levels(500_000, 570_000)]
    const row = rowOf(madeBook(bids, asks))
    expect([row[BID_COUNT], row[ASK_COUNT]]).toEqual([bids.length, asks.length])
    expect(row[BID_DEPTH]).toBe(Number(sum(bids.map(([, size]) => size))))
    expect(row[ASK_DEPTH]).toBe(Number(sum(asks.map(([, size]) => size))))
    for (const [at, wanted] of shape.sizes.entries()) {
      const places = [0, 1, 2, 3].map((which) => row[sizePlace(shape, at, which)])
      expect(places).toEqual([...taken(asks, wanted), ...taken(bids, wanted)])
    }
    const [bid, ask] = [bids[0], asks[0]]
    if (bid === undefined || ask === undefined) {
      expect([row[IMBALANCE], row[MICROPRICE], row[bandPlace(0, false)]]).toEqual([NULL, NULL, NULL])
      continue
    }
    const [one, other] = [BigInt(bid[1]), BigInt(ask[1])]
    expect(row[IMBALANCE]).toBe(quotient(one - other, one + other))
    expect(row[MICROPRICE]).toBe(quotient(BigInt(bid[0]) * other + BigInt(ask[0]) * one, (one + other) * 1_000_000n))
    for (const [band, width] of shape.bands.entries()) {
      const isIn = ([price]: [number, number]) => Math.abs(2 * price - bid[0] - ask[0]) <= 2 * width
      const within = (side: Levels) => Number(sum(side.filter(isIn).map(([, size]) => size)))
      expect([row[bandPlace(band, false)], row[bandPlace(band, true)]]).toEqual([within(bids), within(asks)])
    }
  }
})

test('a best price of the venue without a size makes balance and costs unknown', () => {
  const book = madeBook([[400_000, 5]], [[600_000, 7]])
  book.trust = 'observed'
  Object.assign(book, { venueBid: 450_000, venueAsk: 600_000 })
  const row = rowOf(book)
  expect([row[BID_COUNT], row[BID_DEPTH], row[IMBALANCE], row[bandPlace(0, false)]]).toEqual([2, 5, NULL, NULL])
  expect([0, 1, 2, 3].map((which) => row[sizePlace(shape, 0, which)])).toEqual([0.6, 7, NULL, NULL])
})

test('a level at the edge of a band is in it', () => {
  const row = rowOf(
    madeBook(
      [
        [490_000, 5],
        [489_999, 3],
      ],
      [
        [510_000, 7],
        [510_001, 2],
      ],
    ),
  )
  expect([row[bandPlace(0, false)], row[bandPlace(0, true)], row[bandPlace(1, true)]]).toEqual([5, 7, 9])
})

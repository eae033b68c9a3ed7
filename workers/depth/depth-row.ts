// Computes the values of a book at the end of a bucket besides its levels: depths, balance, and the cost of taking from
// it. All sums are of whole numbers, and each quotient is one division at the end.

import { MICROS } from '../../storage/units.ts'
import { ASK, BID, type Side as BookSide, RUNG_MICROS } from '../book/ladder.ts'
import { type OrderBook, SideLevels } from '../book/order-book.ts'
import { exactQuotient } from '../bytes/exact-quotient.ts'
import { NULL } from '../table/table.ts'

/** The values of a book that are requested. */
export type DepthShape = {
  /** Maximum number of best levels per side. */
  levels: number
  /** Distances from the mid price, in 1e-6 dollars. */
  bands: readonly number[]
  /** Sizes to take, in 1e-6 contracts. */
  sizes: readonly number[]
}

/** Indexes of the values in a row, followed by those of bands and sizes. Sizes are in 1e-6 contracts. */
export const [BID_COUNT, ASK_COUNT, BID_DEPTH, ASK_DEPTH, IMBALANCE, MICROPRICE] = [0, 1, 2, 3, 4, 5]
const FIRST_BAND = 6

/** `bandPlace` and `sizePlace` return the index of a value in a row. A band has two values: its bids and its asks. A
 *  size has four, numbered by `which` from 0: the price to buy, the size bought, the price to sell, the size sold. */
export const bandPlace = (band: number, isAsk: boolean): number => FIRST_BAND + 2 * band + +isAsk
export const sizePlace = ({ bands }: DepthShape, size: number, which: number): number =>
  FIRST_BAND + 2 * bands.length + 4 * size + which
export const widthOf = (shape: DepthShape): number => sizePlace(shape, shape.sizes.length, 0)

/** `isBestUnobserved`: the first level is the venue's best price with size 0, since no size was observed there. */
type Side = { levels: SideLevels; count: number; isBestUnobserved: boolean }

const newSide = (): Side => ({ levels: new SideLevels(), count: 0, isBestUnobserved: false })

/** Reads books one after another; holds the levels of the last one, the best first. */
export class DepthReader {
  readonly bids = newSide()
  readonly asks = newSide()
  readonly #shape: DepthShape
  #price = NULL
  #filled = 0

  constructor(shape: DepthShape) {
    this.#shape = shape
  }

  /** Writes the values of a book to a row that begins at `at`. */
  read(book: OrderBook, row: Float64Array, at: number): void {
    const { bids, asks } = this
    readSide(book, BID, bids)
    readSide(book, ASK, asks)
    row[at + BID_COUNT] = bids.count
    row[at + ASK_COUNT] = asks.count
    row[at + BID_DEPTH] = sizeOf(bids, bids.count)
    row[at + ASK_DEPTH] = sizeOf(asks, asks.count)
    this.#writeBalance(row, at)
    this.#writeBands(row, at)
    this.#writeTakes(row, at)
  }

  #writeBalance(row: Float64Array, at: number): void {
    const { bids, asks } = this
    const isTwoSided = bids.count > 0 && asks.count > 0 && !bids.isBestUnobserved && !asks.isBestUnobserved
    const [bid, bidSize] = [bids.levels.prices[0]!, bids.levels.sizes[0]!]
    const [ask, askSize] = [asks.levels.prices[0]!, asks.levels.sizes[0]!]
    row[at + IMBALANCE] = isTwoSided ? imbalance(bidSize, askSize) : NULL
    row[at + MICROPRICE] = isTwoSided ? microprice(bid, bidSize, ask, askSize) : NULL
  }

  /** Writes the values of the bands. Prices are doubled, because the mid price may be half a unit. */
  #writeBands(row: Float64Array, at: number): void {
    const { bids, asks } = this
    const isTwoSided = bids.count > 0 && asks.count > 0
    const twiceMid = bids.levels.prices[0]! + asks.levels.prices[0]!
    this.#shape.bands.forEach((band, i) => {
      const [lowest, highest] = [twiceMid - 2 * band, twiceMid + 2 * band]
      let [bidCount, askCount] = [0, 0]
      while (bidCount < bids.count && 2 * bids.levels.prices[bidCount]! >= lowest) bidCount++
      while (askCount < asks.count && 2 * asks.levels.prices[askCount]! <= highest) askCount++
      row[at + bandPlace(i, false)] = isTwoSided && !bids.isBestUnobserved ? sizeOf(bids, bidCount) : NULL
      row[at + bandPlace(i, true)] = isTwoSided && !asks.isBestUnobserved ? sizeOf(asks, askCount) : NULL
    })
  }

  #writeTakes(row: Float64Array, at: number): void {
    this.#shape.sizes.forEach((size, i) => {
      ;[this.asks, this.bids].forEach((side, which) => {
        this.#take(side, size)
        row[at + sizePlace(this.#shape, i, 2 * which)] = this.#price
        row[at + sizePlace(this.#shape, i, 2 * which + 1)] = this.#filled
      })
    })
  }

  /** Takes the wanted size, or all there is, from the best level on. Sets `#price`, in dollars, and `#filled`. */
  #take({ levels: { prices, sizes }, count, isBestUnobserved }: Side, wanted: number): void {
    if (isBestUnobserved) {
      this.#price = NULL
      this.#filled = NULL
      return
    }
    let [filled, cost, level] = [0, 0, 0]
    for (; level < count && filled < wanted; level++) {
      const size = Math.min(sizes[level]!, wanted - filled)
      filled += size
      // If this sum is rounded, `dollars` rejects it below.
      cost += (prices[level]! / RUNG_MICROS) * size
    }
    const isOnRungs = prices.subarray(0, level).every(isRung)
    this.#filled = filled
    if (filled === 0) this.#price = NULL
    else if (isOnRungs) this.#price = dollars(cost, filled) ?? exactPrice(prices, sizes, filled)
    else this.#price = exactPrice(prices, sizes, filled)
  }
}

/** Reads all known levels of a side, preceded by the venue's best price if that has no size. */
function readSide(book: OrderBook, side: BookSide, into: Side): void {
  const { levels } = into
  into.count = book.readSide(side, levels)
  const height = book.unobservedBest(side)
  into.isBestUnobserved = height >= 0
  if (!into.isBestUnobserved) return
  levels.reserve(into.count + 1)
  levels.prices.copyWithin(1, 0, into.count)
  levels.sizes.copyWithin(1, 0, into.count)
  levels.prices[0] = side === BID ? height : MICROS - height
  levels.sizes[0] = 0
  into.count++
}

const RUNGS_A_DOLLAR = MICROS / RUNG_MICROS

const isRung = (price: number): boolean => price % RUNG_MICROS === 0

/** Returns the size of the best levels, exact as long as a double can hold it. */
function sizeOf({ levels: { sizes } }: Side, count: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += sizes[i]!
  if (Number.isSafeInteger(sum)) return sum
  return Number(sizes.subarray(0, count).reduce((total, size) => total + BigInt(size), 0n))
}

/** Returns a price from a cost in rungs times sizes; undefined if a double cannot hold the operands exactly. */
function dollars(cost: number, size: number): number | undefined {
  const divisor = RUNGS_A_DOLLAR * size
  return cost <= Number.MAX_SAFE_INTEGER && divisor <= Number.MAX_SAFE_INTEGER ? cost / divisor : undefined
}

function imbalance(bidSize: number, askSize: number): number {
  const both = bidSize + askSize
  if (Number.isSafeInteger(both)) return (bidSize - askSize) / both
  const [bid, ask] = [BigInt(bidSize), BigInt(askSize)]
  return exactQuotient(bid - ask, bid + ask)
}

function microprice(bid: number, bidSize: number, ask: number, askSize: number): number {
  const cost = (bid / RUNG_MICROS) * askSize + (ask / RUNG_MICROS) * bidSize
  const price = isRung(bid) && isRung(ask) ? dollars(cost, bidSize + askSize) : undefined
  if (price !== undefined) return price
  const [one, other] = [BigInt(bidSize), BigInt(askSize)]
  return exactQuotient(BigInt(bid) * other + BigInt(ask) * one, (one + other) * BigInt(MICROS))
}

/** Returns the exact average price, in dollars, at which the size `filled` trades against the levels, best first. The
 *  levels must hold at least that size. */
function exactPrice(prices: Int32Array, sizes: Float64Array, filled: number): number {
  let [left, cost] = [BigInt(filled), 0n]
  for (let level = 0; left > 0n; level++) {
    const there = BigInt(sizes[level]!)
    const size = there < left ? there : left
    cost += BigInt(prices[level]!) * size
    left -= size
  }
  return exactQuotient(cost, BigInt(filled) * BigInt(MICROS))
}

// Buckets as columns. Each bucket that has a quote, or a change of state without a quote, has one row: the top of the
// book at the end of the bucket, and four candles. Prices are in 1e-6 dollars, NO_VALUE if there is none. Mid prices
// are in 5e-7 dollars.

import { grown } from '../bytes/grown.ts'

export const NO_VALUE = -0x8000_0000

/** Fields of a candle, in the order they are stored. */
export const CANDLE_FIELDS = 4
export const BUCKET_FIELDS = 4 * CANDLE_FIELDS

/** Offset of each candle in the fields of a bucket. */
export const [BID, ASK, MID, SPREAD] = [0, CANDLE_FIELDS, 2 * CANDLE_FIELDS, 3 * CANDLE_FIELDS] as const
export const ALL_CANDLES = [BID, ASK, MID, SPREAD] as const
export type Candle = (typeof ALL_CANDLES)[number]

const CAPACITY_MIN = 64

export class BucketColumns {
  count = 0
  numbers: Float64Array
  quoteCounts: Uint32Array
  bids: Int32Array
  asks: Int32Array
  bidSizes: Float64Array
  askSizes: Float64Array
  /** open, high, low, close of bid, ask, mid and spread: 16 values per bucket. */
  candles: Int32Array

  /** `expected` buckets fit without reallocation; more may follow. */
  constructor(expected: number) {
    const capacity = Math.max(expected, CAPACITY_MIN)
    this.numbers = new Float64Array(capacity)
    this.quoteCounts = new Uint32Array(capacity)
    this.bids = new Int32Array(capacity)
    this.asks = new Int32Array(capacity)
    this.bidSizes = new Float64Array(capacity)
    this.askSizes = new Float64Array(capacity)
    this.candles = new Int32Array(BUCKET_FIELDS * capacity)
  }

  /** Number of buckets that fit. */
  get capacity(): number {
    return this.numbers.length
  }

  /** Begins a bucket; returns its index. */
  open(number: number): number {
    if (this.count === this.capacity) this.#grow()
    const index = this.count++
    this.numbers[index] = number
    this.quoteCounts[index] = 0
    const { candles } = this
    const end = BUCKET_FIELDS * this.count
    // Use a loop: calling `fill` takes longer.
    for (let i = end - BUCKET_FIELDS; i < end; i++) candles[i] = NO_VALUE
    return index
  }

  /** Copies rows [from, to) of other columns; their candles only if `hasCandles`. */
  append(rows: BucketColumns, from: number, to: number, hasCandles: boolean): void {
    while (this.count + to - from > this.capacity) this.#grow()
    const { count } = this
    this.numbers.set(rows.numbers.subarray(from, to), count)
    this.quoteCounts.set(rows.quoteCounts.subarray(from, to), count)
    this.bids.set(rows.bids.subarray(from, to), count)
    this.asks.set(rows.asks.subarray(from, to), count)
    this.bidSizes.set(rows.bidSizes.subarray(from, to), count)
    this.askSizes.set(rows.askSizes.subarray(from, to), count)
    if (hasCandles)
      this.candles.set(rows.candles.subarray(BUCKET_FIELDS * from, BUCKET_FIELDS * to), BUCKET_FIELDS * count)
    this.count = count + to - from
  }

  #grow(): void {
    this.numbers = grown(this.numbers)
    this.quoteCounts = grown(this.quoteCounts)
    this.bids = grown(this.bids)
    this.asks = grown(this.asks)
    this.bidSizes = grown(this.bidSizes)
    this.askSizes = grown(this.askSizes)
    this.candles = grown(this.candles)
  }
}

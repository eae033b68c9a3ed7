// Buckets as columns: for each bucket with a quote, and each change of state without one, the top of the book at its
// end and the four candles. Prices are in 1e-6 dollars, NO_VALUE where there is none; mid prices in 5e-7 dollars.

export const NO_VALUE = -0x8000_0000

/** Fields of a candle, in the order they are stored. */
export const CANDLE_FIELDS = 4

export class BucketColumns {
  count = 0
  numbers = new Float64Array(64)
  quoteCounts = new Uint32Array(64)
  bids = new Int32Array(64)
  asks = new Int32Array(64)
  bidSizes = new Float64Array(64)
  askSizes = new Float64Array(64)
  /** open, high, low, close of bid, ask, mid and spread: 16 a bucket. */
  candles = new Int32Array(64 * 4 * CANDLE_FIELDS)

  /** Begins a bucket; returns its index. */
  open(number: number): number {
    if (this.count === this.numbers.length) this.#grow()
    const index = this.count++
    this.numbers[index] = number
    this.quoteCounts[index] = 0
    this.candles.fill(NO_VALUE, 16 * index, 16 * index + 16)
    return index
  }

  #grow(): void {
    const length = 2 * this.count
    this.numbers = grown(this.numbers, new Float64Array(length))
    this.quoteCounts = grown(this.quoteCounts, new Uint32Array(length))
    this.bids = grown(this.bids, new Int32Array(length))
    this.asks = grown(this.asks, new Int32Array(length))
    this.bidSizes = grown(this.bidSizes, new Float64Array(length))
    this.askSizes = grown(this.askSizes, new Float64Array(length))
    this.candles = grown(this.candles, new Int32Array(16 * length))
  }
}

function grown<T extends { set(from: ArrayLike<number>): void } & ArrayLike<number>>(from: T, to: T): T {
  to.set(from)
  return to
}

// Puts trades of one book into buckets. Trades come in time order, so one bucket is open at a time.

import { ExactSum } from '../bytes/exact-sum.ts'
import { grown } from '../bytes/grown.ts'
import type { BucketGrid } from '../summary/bucket-grid.ts'
import { PRICE_UNITS } from '../table/print-price.ts'
import { NULL } from '../table/table.ts'
import { type BlockTrades, BUY, NO_SIDE } from './block-trades.ts'

/** Indexes of the columns, in the order of the table. */
const [OPEN, HIGH, LOW, CLOSE, VWAP] = [0, 1, 2, 3, 4]
const [VOLUME, BUY_VOLUME, SELL_VOLUME, NOTIONAL] = [5, 6, 7, 8]
const [TRADES, BUYS, SELLS] = [9, 10, 11]
const WIDTH = 12

const CAPACITY_MIN = 256
/** Contracts have six decimal places, dollars times contracts twelve. */
const [SIZE_PLACES, NOTIONAL_PLACES] = [6, 12]

export class TradeBuckets {
  /** Number of buckets with a trade. */
  count = 0
  /** Bucket numbers in the grid. */
  numbers = new Float64Array(CAPACITY_MIN)
  /** Prices in the price units of a table, counts, and sums rounded to the nearest double. */
  columns: Float64Array[] = Array.from({ length: WIDTH }, () => new Float64Array(CAPACITY_MIN))
  readonly #grid: BucketGrid
  #endMs = Number.NEGATIVE_INFINITY
  #open = 0
  #high = 0
  #low = 0
  #close = 0
  #trades = 0
  #buys = 0
  #sells = 0
  readonly #bought = new ExactSum()
  readonly #sold = new ExactSum()
  readonly #others = new ExactSum()
  readonly #notional = new ExactSum()

  constructor(grid: BucketGrid) {
    this.#grid = grid
  }

  add({ count, timesMs, prices, sizes, sides }: BlockTrades): void {
    for (let i = 0; i < count; i++) {
      const price = prices[i]!
      const size = sizes[i]!
      if (timesMs[i]! >= this.#endMs) this.#openAt(timesMs[i]!, price)
      if (price > this.#high) this.#high = price
      else if (price < this.#low) this.#low = price
      this.#close = price
      this.#trades++
      this.#notional.addProduct(price, size)
      const side = sides[i]!
      if (side === NO_SIDE) this.#others.add(size)
      else if (side === BUY) {
        this.#buys++
        this.#bought.add(size)
      } else {
        this.#sells++
        this.#sold.add(size)
      }
    }
  }

  finish(): this {
    if (this.#trades > 0) this.#write()
    this.#trades = 0
    return this
  }

  #openAt(timeMs: number, price: number): void {
    this.finish()
    if (this.count === this.numbers.length) this.#grow()
    const number = this.#grid.numberAt(timeMs)
    this.#endMs = this.#grid.endMs(number)
    this.numbers[this.count] = number
    this.#open = this.#high = this.#low = price
    this.#buys = this.#sells = 0
    for (const sum of [this.#bought, this.#sold, this.#others, this.#notional]) sum.clear()
  }

  #write(): void {
    const [columns, at] = [this.columns, this.count++]
    columns[OPEN]![at] = PRICE_UNITS * this.#open
    columns[HIGH]![at] = PRICE_UNITS * this.#high
    columns[LOW]![at] = PRICE_UNITS * this.#low
    columns[CLOSE]![at] = PRICE_UNITS * this.#close
    columns[TRADES]![at] = this.#trades
    columns[BUYS]![at] = this.#buys
    columns[SELLS]![at] = this.#sells
    columns[BUY_VOLUME]![at] = this.#bought.nearest(SIZE_PLACES)
    columns[SELL_VOLUME]![at] = this.#sold.nearest(SIZE_PLACES)
    this.#others.addSum(this.#bought)
    this.#others.addSum(this.#sold)
    const volume = this.#others.nearest(SIZE_PLACES)
    const notional = this.#notional.nearest(NOTIONAL_PLACES)
    columns[VOLUME]![at] = volume
    columns[NOTIONAL]![at] = notional
    columns[VWAP]![at] = volume === 0 ? NULL : notional / volume
  }

  #grow(): void {
    this.numbers = grown(this.numbers)
    this.columns = this.columns.map((column) => grown(column))
  }
}

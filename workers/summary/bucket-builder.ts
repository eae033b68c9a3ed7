// Puts quotes into buckets. Only buckets that start in the range receive quotes, and quotes after the end of the range
// are ignored. Earlier quotes give the top of the book at the start of the range.

import { NO_PRICE, type OrderBook, type Top } from '../book/order-book.ts'
import type { QuoteSink } from '../book/replay.ts'
import {
  ALL_CANDLES,
  ASK,
  BID,
  BUCKET_FIELDS,
  type BucketColumns,
  type Candle,
  MID,
  NO_VALUE,
  SPREAD,
} from './bucket-columns.ts'
import type { BucketGrid } from './bucket-grid.ts'

/** Marks that no price was noted. Differs from every price and from NO_PRICE. */
const NOT_NOTED = -2

export class BucketBuilder implements QuoteSink {
  readonly columns: BucketColumns
  /** The candles that are computed; the fields of others are undefined. */
  readonly candles: readonly Candle[]
  readonly #hasSides: boolean
  readonly #hasBetween: boolean
  readonly #grid: BucketGrid
  readonly #toMs: number
  /** Number of the first bucket that starts in the range. */
  readonly first: number
  #index = -1
  #bucketEndMs = Number.NEGATIVE_INFINITY
  /** A quote before this time is in the open bucket and in the range, so it needs no further check. */
  #edgeMs = Number.NEGATIVE_INFINITY
  #quoteCount = 0
  readonly #top: Top = { bid: NO_PRICE, bidSize: 0, ask: NO_PRICE, askSize: 0 }
  /** Best prices of the last quote that the open bucket's candles include; NOT_NOTED if they include no quote. */
  #notedBid = NOT_NOTED
  #notedAsk = NOT_NOTED

  constructor(
    grid: BucketGrid,
    { fromMs, toMs }: { fromMs: number; toMs: number },
    columns: BucketColumns,
    candles: readonly Candle[] = ALL_CANDLES,
  ) {
    this.columns = columns
    this.candles = candles
    this.#hasSides = candles.includes(BID) || candles.includes(ASK)
    this.#hasBetween = candles.includes(MID) || candles.includes(SPREAD)
    this.#grid = grid
    this.#toMs = toMs
    this.first = grid.firstFrom(fromMs)
  }

  get resolutionSeconds(): number {
    return this.#grid.resolutionSeconds
  }

  /** Sets the top of the book at the start of the range. */
  begin(top: Readonly<Top>): void {
    Object.assign(this.#top, top)
    const index = this.columns.open(Number.NEGATIVE_INFINITY)
    this.#writeTop(index)
  }

  quote(book: OrderBook): void {
    const timeMs = book.openQuoteMs
    if (timeMs >= this.#edgeMs) {
      if (timeMs > this.#toMs) return
      this.#openAt(timeMs)
    }
    book.readTop(this.#top)
    this.#noteQuote()
  }

  /** Adds a quote from its top, without a book. */
  quoteAt(timeMs: number, top: Readonly<Top>): void {
    if (timeMs > this.#toMs) return
    if (timeMs >= this.#edgeMs) this.#openAt(timeMs)
    const { bid, bidSize, ask, askSize } = top
    Object.assign(this.#top, { bid, bidSize, ask, askSize })
    this.#noteQuote()
  }

  #noteQuote(): void {
    const top = this.#top
    this.#quoteCount++
    if ((this.#hasSides || this.#hasBetween) && (top.bid !== this.#notedBid || top.ask !== this.#notedAsk)) {
      this.#noteCandles()
    }
  }

  /** Adds a row of finer buckets, which must be within one bucket of this grid and within the range. */
  addRow(rows: BucketColumns, row: number, startMs: number): void {
    if (startMs >= this.#edgeMs) this.#openAt(startMs)
    const top = this.#top
    top.bid = rows.bids[row]!
    top.ask = rows.asks[row]!
    top.bidSize = rows.bidSizes[row]!
    top.askSize = rows.askSizes[row]!
    this.#quoteCount += rows.quoteCounts[row]!
    this.#notedBid = NOT_NOTED
    this.#notedAsk = NOT_NOTED
    if (this.#index < 0) return
    const [to, from] = [BUCKET_FIELDS * this.#index, BUCKET_FIELDS * row]
    for (const candle of this.candles) mergeCandle(this.columns.candles, to + candle, rows.candles, from + candle)
  }

  /** Adds rows [from, to) of buckets of the same grid. These buckets must follow the open bucket and be in the range.
   *  Add the row after them with `addRow`. */
  addBuckets(rows: BucketColumns, from: number, to: number): void {
    this.#close()
    this.columns.append(rows, from, to, this.candles.length > 0)
  }

  gap(_book: OrderBook, _number: number, timeMs: number): void {
    if (timeMs > this.#toMs) return
    if (timeMs >= this.#bucketEndMs) this.#openAt(timeMs)
    this.#top.bid = NO_PRICE
    this.#top.ask = NO_PRICE
    this.#top.bidSize = 0
    this.#top.askSize = 0
  }

  switched(_before: OrderBook, after: OrderBook, atMs: number): void {
    this.setTop(atMs, after.top())
  }

  /** Sets the top of the book from an instant on, for a change without a quote. */
  setTop(timeMs: number, { bid, bidSize, ask, askSize }: Readonly<Top>): void {
    if (timeMs > this.#toMs) return
    if (timeMs >= this.#bucketEndMs) this.#openAt(timeMs)
    Object.assign(this.#top, { bid, bidSize, ask, askSize })
  }

  marketGap(): void {}

  finish(): BucketColumns {
    this.#close()
    return this.columns
  }

  #openAt(timeMs: number): void {
    this.#close()
    const number = this.#grid.numberAt(timeMs)
    this.#bucketEndMs = this.#grid.endMs(number)
    this.#edgeMs = Math.min(this.#bucketEndMs, this.#toMs + 1)
    this.#index = number < this.first ? -1 : this.columns.open(number)
    this.#quoteCount = 0
    this.#notedBid = NOT_NOTED
    this.#notedAsk = NOT_NOTED
  }

  // Quotes before the first bucket give the state at the start of the range.
  #close(): void {
    if (this.#bucketEndMs === Number.NEGATIVE_INFINITY) return
    if (this.#index < 0) {
      if (this.columns.count === 0) this.columns.open(Number.NEGATIVE_INFINITY)
      this.#writeTop(0)
    } else {
      this.columns.quoteCounts[this.#index] = this.#quoteCount
      this.#writeTop(this.#index)
    }
  }

  #writeTop(index: number): void {
    const { columns } = this
    const { bid, bidSize, ask, askSize } = this.#top
    columns.bids[index] = bid
    columns.asks[index] = ask
    columns.bidSizes[index] = bidSize
    columns.askSizes[index] = askSize
  }

  // Most quotes change only one side. The price of the other side is in its candle already.
  #noteCandles(): void {
    if (this.#index < 0) return
    const { candles } = this.columns
    const start = BUCKET_FIELDS * this.#index
    const { bid, ask } = this.#top
    if (this.#hasSides) {
      if (bid !== NO_PRICE && bid !== this.#notedBid) noteCandle(candles, start + BID, bid)
      if (ask !== NO_PRICE && ask !== this.#notedAsk) noteCandle(candles, start + ASK, ask)
    }
    this.#notedBid = bid
    this.#notedAsk = ask
    if (!this.#hasBetween || bid === NO_PRICE || ask === NO_PRICE) return
    noteCandle(candles, start + MID, bid + ask)
    noteCandle(candles, start + SPREAD, ask - bid)
  }
}

function noteCandle(candles: Int32Array, at: number, value: number): void {
  if (candles[at] === NO_VALUE) candles[at] = candles[at + 1] = candles[at + 2] = value
  else if (value > candles[at + 1]!) candles[at + 1] = value
  else if (value < candles[at + 2]!) candles[at + 2] = value
  candles[at + 3] = value
}

function mergeCandle(to: Int32Array, at: number, from: Int32Array, fromAt: number): void {
  const open = from[fromAt]!
  if (open === NO_VALUE) return
  const high = from[fromAt + 1]!
  const low = from[fromAt + 2]!
  if (to[at] === NO_VALUE) {
    to[at] = open
    to[at + 1] = high
    to[at + 2] = low
  } else {
    if (high > to[at + 1]!) to[at + 1] = high
    if (low < to[at + 2]!) to[at + 2] = low
  }
  to[at + 3] = from[fromAt + 3]!
}

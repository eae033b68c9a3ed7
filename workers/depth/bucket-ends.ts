// Reads the book at the end of each bucket: after its last quote or gap. By the time a quote is known to be the last of
// its bucket, the book has already changed. So the few records of a block at which to read the book are chosen in
// advance.

import type { BookColumns } from '../book/book-columns.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { ReadBlock, WindowSink } from '../read/window-replay.ts'
import type { BucketGrid } from '../summary/bucket-grid.ts'
import type { DepthEntries } from './depth-entries.ts'

export class BucketEnds implements WindowSink {
  readonly forgetsColumns = true
  /** Buckets with a quote, ascending. */
  readonly observed: number[] = []
  readonly #grid: BucketGrid
  readonly #entries: DepthEntries
  /** The first requested bucket, and its start. */
  readonly #first: number
  readonly #firstMs: number
  readonly #toMs: number
  /** Records of the block at which the book is read, ascending. */
  #reads: number[] = []
  #readIndex = 0
  #nextRead = 0
  #observedEndMs: number

  /** Quotes and gaps after `toMs` are not used. */
  constructor(grid: BucketGrid, entries: DepthEntries, { first, toMs }: { first: number; toMs: number }) {
    this.#grid = grid
    this.#entries = entries
    this.#first = first
    this.#firstMs = grid.startMs(first)
    this.#toMs = toMs
    this.#observedEndMs = this.#firstMs
  }

  /** Adds the book at the start of the first bucket. */
  begin(book: OrderBook): void {
    this.#entries.add(this.#first - 1, book)
  }

  block({ columns, day }: ReadBlock): void {
    this.#reads = this.#readsAt(columns, day.bookIndex + 1)
    this.#readIndex = 0
    // The first quote that ends in the block is always read.
    this.#nextRead = 0
  }

  quote(book: OrderBook, _number: number, record: number): void {
    const timeMs = book.openQuoteMs
    if (timeMs >= this.#observedEndMs) this.#observe(timeMs)
    // At the end of a day, `record` is 0.
    if (record < this.#nextRead && record > 0) return
    while (this.#reads[this.#readIndex]! <= record) this.#readIndex++
    this.#nextRead = this.#reads[this.#readIndex] ?? Number.POSITIVE_INFINITY
    this.#add(book, timeMs)
  }

  gap(book: OrderBook, _number: number, timeMs: number): void {
    this.#add(book, timeMs)
  }

  marketGap(): void {}

  switched(_before: OrderBook, after: OrderBook, atMs: number): void {
    this.#add(after, atMs)
  }

  /** Ends the window: the open quote is complete. */
  finish(book: OrderBook): void {
    if (book.openQuoteMs >= 0) this.quote(book, 0, 0)
  }

  #add(book: OrderBook, timeMs: number): void {
    if (timeMs <= this.#toMs) this.#entries.add(Math.max(this.#grid.numberAt(timeMs), this.#first - 1), book)
  }

  #observe(timeMs: number): void {
    if (timeMs > this.#toMs) return
    const number = this.#grid.numberAt(timeMs)
    this.observed.push(number)
    this.#observedEndMs = this.#grid.endMs(number)
  }

  /** Returns the records before which to read the book: for each bucket, the record that opens the quote after the
   *  bucket's last quote. A quote that continues past the end of a bucket is not in that bucket, so the book is read
   *  before this quote. The last quote of the block may continue, so the book is read before it too. */
  #readsAt({ timesMs, operations, books, shapes, recordCount }: BookColumns, own: number): number[] {
    const isChange = shapes.map(({ kind }) => kind === 'snapshot' || kind === 'delta')
    const isGap = shapes.map(({ kind }) => kind === 'gap')
    const reads: number[] = []
    const opens = (record: number): boolean => isGap[operations[record]! >>> 1]! || (operations[record]! & 1) === 1
    const isOwn = (record: number): boolean => {
      const shape = operations[record]! >>> 1
      return books[record] === own ? isChange[shape]! || isGap[shape]! : books[record] === 0 && isGap[shape]!
    }
    const addLastOpening = (before: number): void => {
      let record = before - 1
      while (record >= 0 && !(isOwn(record) && opens(record))) record--
      if (record > (reads.at(-1) ?? 0)) reads.push(record)
    }
    for (let end = 0; end < recordCount; ) {
      end = firstFrom(timesMs, end, this.#endAfter(timesMs[end]!))
      let next = end
      while (next < recordCount && !isOwn(next)) next++
      if (next === recordCount) end = recordCount
      if (next === recordCount || !opens(next)) addLastOpening(end)
      else if (next > (reads.at(-1) ?? 0)) reads.push(next)
    }
    return reads
  }

  /** Returns the end of the bucket that contains an instant, at most the end of the used range. Before the first
   *  bucket, returns the start of that bucket; after the range, infinity. */
  #endAfter(timeMs: number): number {
    if (timeMs > this.#toMs) return Number.POSITIVE_INFINITY
    if (timeMs < this.#firstMs) return Math.min(this.#firstMs, this.#toMs + 1)
    return Math.min(this.#grid.endMs(this.#grid.numberAt(timeMs)), this.#toMs + 1)
  }
}

/** Returns the first record from `from` on that is at or after an instant. */
function firstFrom(timesMs: Float64Array, from: number, timeMs: number): number {
  let [low, high] = [from, timesMs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timesMs[middle]! < timeMs) low = middle + 1
    else high = middle
  }
  return low
}

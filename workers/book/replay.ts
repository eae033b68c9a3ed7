// Applies a block to the books it is about, and says each quote when it is complete: when the next record of that book
// begins another, or there is none.

import type { BookColumns, LevelColumns, ShapeBooks } from './book-columns.ts'
import { NO_LEVEL } from './book-columns.ts'
import type { BookSide } from './book-side.ts'
import type { OrderBook } from './order-book.ts'

export interface QuoteSink {
  /** The book stands at a quote whose time is `book.openQuoteMs`. */
  quote(book: OrderBook, number: number): void
  /** The book has been lost; it is empty now. */
  gap(book: OrderBook, number: number, timeMs: number): void
}

/** Applies records [from, to) of a block. `books` is by book number; undefined ones are passed over. */
export function replayBlock(
  columns: BookColumns,
  books: (OrderBook | undefined)[],
  sink: QuoteSink,
  from: number,
  to: number,
): void {
  const { timesMs, operations, books: numbers, shapes } = columns
  const cursors = shapes.map(() => new ShapeCursor())
  for (let record = 0; record < to; record++) {
    const operation = operations[record]!
    const shapeIndex = operation >>> 1
    const shape = shapes[shapeIndex]!
    if (shape.levels.length === 0 && shape.kind !== 'snapshot' && shape.kind !== 'delta' && shape.kind !== 'gap') continue
    const cursor = cursors[shapeIndex]!
    const number = numbers[record]!
    const book = books[number]
    if (record < from || book === undefined) {
      cursor.skip(shape)
      if (number === 0 && shape.kind === 'gap' && record >= from) loseAll(books, sink, timesMs[record]!)
      continue
    }
    if (shape.kind === 'gap') {
      cursor.skip(shape)
      lose(book, number, sink, timesMs[record]!)
      continue
    }
    if ((operation & 1) === 1 && book.openQuoteMs >= 0) sink.quote(book, number)
    if (shape.kind === 'snapshot') book.reset('established')
    if (book.trust === 'lost') cursor.skip(shape)
    else cursor.apply(shape, book)
    book.openQuoteMs = timesMs[record]!
  }
}

/** Ends the quotes that are still open: nothing follows. */
export function finishReplay(books: (OrderBook | undefined)[], sink: QuoteSink): void {
  books.forEach((book, number) => {
    if (book === undefined || book.openQuoteMs < 0) return
    sink.quote(book, number)
    book.openQuoteMs = -1
  })
}

function loseAll(books: (OrderBook | undefined)[], sink: QuoteSink, timeMs: number): void {
  books.forEach((book, number) => {
    if (book !== undefined) lose(book, number, sink, timeMs)
  })
}

function lose(book: OrderBook, number: number, sink: QuoteSink, timeMs: number): void {
  if (book.openQuoteMs >= 0) sink.quote(book, number)
  book.openQuoteMs = -1
  book.reset('lost')
  sink.gap(book, number, timeMs)
}

/** Where the next row of a shape stands in its columns. */
class ShapeCursor {
  #row = 0
  readonly #places = [0, 0]

  skip(shape: ShapeBooks): void {
    for (let side = 0; side < shape.levels.length; side++) {
      const { lengths } = shape.levels[side]!
      this.#places[side]! += lengths === undefined ? 1 : lengths[this.#row]!
    }
    this.#row++
  }

  apply(shape: ShapeBooks, book: OrderBook): void {
    for (let side = 0; side < shape.levels.length; side++) {
      const levels = shape.levels[side]!
      const start = this.#places[side]!
      const end = start + (levels.lengths === undefined ? 1 : levels.lengths[this.#row]!)
      for (let i = start; i < end; i++) applyLevel(levels, i, shape.isSigned, book)
      this.#places[side] = end
      if (shape.kind === 'delta') noteVenueBest(shape, end - 1, end > start, book)
    }
    this.#row++
  }
}

function applyLevel(levels: LevelColumns, i: number, isSigned: boolean, book: OrderBook): void {
  const rung = levels.rungs[i]!
  const size = levels.sizes[i]!
  const side: BookSide = levels.sides[i] === 0 ? book.bid : book.ask
  if (rung >= 0) {
    if (isSigned) side.add(rung, size)
    else side.set(rung, size)
  } else if (rung !== NO_LEVEL) {
    if (isSigned) side.addFine(levels.heights[i]!, size)
    else side.setFine(levels.heights[i]!, size)
  }
}

function noteVenueBest({ best }: ShapeBooks, last: number, hasChanges: boolean, book: OrderBook): void {
  book.venueBid = best === undefined || !hasChanges ? Number.NaN : best.bids[last]!
  book.venueAsk = best === undefined || !hasChanges ? Number.NaN : best.asks[last]!
}

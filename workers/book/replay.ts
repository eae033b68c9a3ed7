// Applies a block to the books it is about, and says each quote when it is complete: when the next record of that book
// begins another, or there is none.

import type { BookColumns, ShapeBooks } from './book-columns.ts'
import { ASK, BID, RUNG_MICROS, SIDE_CELLS, type Side } from './ladder.ts'
import { BETWEEN_ASKS, BETWEEN_BIDS, type LevelColumns } from './level-columns.ts'
import type { BookTrust, OrderBook } from './order-book.ts'

export interface QuoteSink {
  /** The book stands at a quote whose time is `book.openQuoteMs`, and which this record of the block ends. */
  quote(book: OrderBook, number: number, record: number): void
  /** The book has been lost; it is empty now. */
  gap(book: OrderBook, number: number, timeMs: number, record: number): void
  /** The book as a gap finds it. */
  losing?(book: OrderBook, number: number, record: number): void
  /** Every book of the market has been lost, those that have no record yet too. */
  marketGap(): void
  /** The book as a snapshot finds it, and as it leaves it. */
  snapshot?(book: OrderBook, number: number, record: number): void
  snapshotApplied?(book: OrderBook, number: number, record: number, wasTrusted: BookTrust): void
  /** Whether it looks at the levels of the book's next change. */
  isComparing?(number: number): boolean
  /** Called before a change while it does so; what it returns is called after each level of the change: with its key
   *  (`levelKey`), the size that was set or added, and the sizes that the book has there now and had before. */
  comparedLevels?(number: number, record: number): ComparedLevel | undefined
}

export type ComparedLevel = (
  level: number,
  change: number,
  isSigned: boolean,
  sizeNow: number,
  sizeBefore: number,
) => void

/** For records that only lead to where something is asked. */
export const SILENT: QuoteSink = { quote: () => {}, gap: () => {}, marketGap: () => {} }

const SIDE_HEIGHTS = 2 ** 21

/** One number for a level of either side. */
export const levelKey = (side: Side, height: number): number => side * SIDE_HEIGHTS + height

/** Where nothing is made for each level. */
export const isAskLevel = (key: number): boolean => key >= SIDE_HEIGHTS
export const heightOfLevel = (key: number): number => (key < SIDE_HEIGHTS ? key : key - SIDE_HEIGHTS)

/** The level of a key, and its side. */
export const levelOf = (key: number): { side: Side; height: number } =>
  key < SIDE_HEIGHTS ? { side: BID, height: key } : { side: ASK, height: key - SIDE_HEIGHTS }

/** Applies all records of a block. `books` is by book number; undefined ones are passed over. */
export function replayBlock(columns: BookColumns, books: (OrderBook | undefined)[], sink: QuoteSink): void {
  new BlockReplay(columns, books).to(columns.recordCount, sink)
}

/** A block that is applied piece by piece. */
export class BlockReplay {
  readonly columns: BookColumns
  readonly #books: (OrderBook | undefined)[]
  readonly #cursors: ShapeCursor[]
  /** Records so far. */
  applied = 0

  constructor(columns: BookColumns, books: (OrderBook | undefined)[]) {
    this.columns = columns
    this.#books = books
    this.#cursors = columns.shapes.map((shape) => new ShapeCursor(shape))
  }

  /** Applies the records before `end` that were not applied yet. */
  to(end: number, sink: QuoteSink): void {
    if (end <= this.applied) return
    replayRecords(this.columns, this.#cursors, this.#books, sink, this.applied, end)
    this.applied = end
  }
}

function replayRecords(
  columns: BookColumns,
  cursors: ShapeCursor[],
  books: (OrderBook | undefined)[],
  sink: QuoteSink,
  first: number,
  end: number,
): void {
  const { timesMs, operations, books: numbers } = columns
  for (let record = first; record < end; record++) {
    const operation = operations[record]!
    const cursor = cursors[operation >>> 1]!
    if (!cursor.isOfBooks) continue
    const number = numbers[record]!
    const book = books[number]
    if (cursor.isGap) {
      if (number === 0) loseAll(books, sink, timesMs[record]!, record)
      else if (book !== undefined) lose(book, number, sink, timesMs[record]!, record)
      continue
    }
    if (book === undefined) {
      cursor.skip()
      continue
    }
    const isComparing = sink.isComparing?.(number) ?? false
    if (cursor.isSingle && book.trust === 'established' && !isComparing) {
      record = replayRun(columns, record, end, cursor, book, sink)
      continue
    }
    if ((operation & 1) === 1 && book.openQuoteMs >= 0) sink.quote(book, number, record)
    const { trust } = book
    if (cursor.isSnapshot) {
      sink.snapshot?.(book, number, record)
      book.reset('established')
    }
    if (book.trust === 'lost') cursor.skip()
    else cursor.apply(book, isComparing && !cursor.isSnapshot ? sink.comparedLevels?.(number, record) : undefined)
    if (cursor.isSnapshot) sink.snapshotApplied?.(book, number, record, trust)
    book.openQuoteMs = timesMs[record]!
  }
}

/** Records from `first` on that are each one change of the same established book, which most of a day is: nothing but
 *  the change differs between them. Returns the last of them. */
function replayRun(
  columns: BookColumns,
  first: number,
  end: number,
  cursor: ShapeCursor,
  book: OrderBook,
  sink: QuoteSink,
): number {
  const { timesMs, operations, books: numbers } = columns
  const { levels, cells, sizes, isSigned } = cursor
  const { ladder } = book
  const ladderSizes = ladder.sizes
  const number = numbers[first]!
  const shape = operations[first]! >>> 1
  let row = cursor.row
  let record = first
  for (; record < end; record++) {
    const operation = operations[record]!
    if (operation >>> 1 !== shape || numbers[record] !== number) break
    if ((operation & 1) === 1) {
      if (record > first) book.openQuoteMs = timesMs[record - 1]!
      if (book.openQuoteMs >= 0) sink.quote(book, number, record)
    }
    const cell = cells[row]!
    if (cell >= 0) ladder.set(cell, isSigned ? ladderSizes[cell]! + sizes[row]! : sizes[row]!)
    else applyLevel(levels, row, isSigned, book)
    row++
  }
  cursor.row = row
  book.openQuoteMs = timesMs[record - 1]!
  return record - 1
}

/** Ends the quotes that are still open: nothing follows, so they say record 0. */
export function finishReplay(books: (OrderBook | undefined)[], sink: QuoteSink): void {
  books.forEach((book, number) => {
    if (book === undefined || book.openQuoteMs < 0) return
    sink.quote(book, number, 0)
    book.openQuoteMs = -1
  })
}

function loseAll(books: (OrderBook | undefined)[], sink: QuoteSink, timeMs: number, record: number): void {
  books.forEach((book, number) => {
    if (book !== undefined) lose(book, number, sink, timeMs, record)
  })
  sink.marketGap()
}

function lose(book: OrderBook, number: number, sink: QuoteSink, timeMs: number, record: number): void {
  if (book.openQuoteMs >= 0) sink.quote(book, number, record)
  book.openQuoteMs = -1
  sink.losing?.(book, number, record)
  book.reset('lost')
  sink.gap(book, number, timeMs, record)
}

const NO_LEVELS: LevelColumns = {
  lengths: undefined,
  cells: new Int32Array(0),
  sizes: new Float64Array(0),
  heights: undefined,
}

/** Where the next row of a shape stands in its columns. */
class ShapeCursor {
  row = 0
  readonly isGap: boolean
  readonly isSnapshot: boolean
  readonly isOfBooks: boolean
  readonly isSigned: boolean
  /** Each row is one change, which is the whole of a Kalshi delta: no counting of list elements. */
  readonly isSingle: boolean
  readonly levels: LevelColumns
  readonly cells: Int32Array
  readonly sizes: Float64Array
  readonly #shape: ShapeBooks
  readonly #places = [0, 0]

  constructor(shape: ShapeBooks) {
    this.#shape = shape
    this.isGap = shape.kind === 'gap'
    this.isSnapshot = shape.kind === 'snapshot'
    this.isOfBooks = this.isGap || this.isSnapshot || shape.kind === 'delta'
    this.isSigned = shape.isSigned
    this.levels = shape.levels[0] ?? NO_LEVELS
    this.cells = this.levels.cells
    this.sizes = this.levels.sizes
    this.isSingle = shape.levels.length === 1 && this.levels.lengths === undefined
  }

  skip(): void {
    const { levels } = this.#shape
    for (let side = 0; side < levels.length; side++) {
      const { lengths } = levels[side]!
      if (lengths !== undefined) this.#places[side]! += lengths[this.row]!
    }
    this.row++
  }

  apply(book: OrderBook, onLevel?: ComparedLevel): void {
    const shape = this.#shape
    for (let side = 0; side < shape.levels.length; side++) {
      const levels = shape.levels[side]!
      const start = levels.lengths === undefined ? this.row : this.#places[side]!
      const end = levels.lengths === undefined ? start + 1 : start + levels.lengths[this.row]!
      for (let i = start; i < end; i++) {
        if (onLevel === undefined) applyLevel(levels, i, shape.isSigned, book)
        else applyComparedLevel(levels, i, shape.isSigned, book, onLevel)
      }
      this.#places[side] = end
      if (shape.kind === 'delta') noteVenueBest(shape, end - 1, end > start, book)
    }
    this.row++
  }
}

function applyLevel(levels: LevelColumns, i: number, isSigned: boolean, book: OrderBook): void {
  const cell = levels.cells[i]!
  const size = levels.sizes[i]!
  if (cell >= 0) {
    const { ladder } = book
    ladder.set(cell, isSigned ? ladder.sizes[cell]! + size : size)
  } else if (cell === BETWEEN_BIDS || cell === BETWEEN_ASKS) {
    const side = cell === BETWEEN_BIDS ? BID : ASK
    const height = levels.heights![i]!
    book.setLevel(side, height, isSigned ? book.sizeAt(side, height) + size : size)
  }
}

function applyComparedLevel(
  levels: LevelColumns,
  i: number,
  isSigned: boolean,
  book: OrderBook,
  onLevel: ComparedLevel,
): void {
  const cell = levels.cells[i]!
  const isBetween = cell === BETWEEN_BIDS || cell === BETWEEN_ASKS
  if (cell < 0 && !isBetween) return
  const side = cell === BETWEEN_ASKS || cell >= SIDE_CELLS ? ASK : BID
  const height = isBetween ? levels.heights![i]! : (cell - side * SIDE_CELLS) * RUNG_MICROS
  const before = book.sizeAt(side, height)
  applyLevel(levels, i, isSigned, book)
  onLevel(levelKey(side, height), levels.sizes[i]!, isSigned, book.sizeAt(side, height), before)
}

function noteVenueBest({ best }: ShapeBooks, last: number, hasChanges: boolean, book: OrderBook): void {
  book.venueBid = best === undefined || !hasChanges ? Number.NaN : best.bids[last]!
  book.venueAsk = best === undefined || !hasChanges ? Number.NaN : best.asks[last]!
}

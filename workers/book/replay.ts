// Applies a block to its books, and reports each quote when it is complete: when the next record of the book opens
// another quote, or no record follows.

import type { BookTrust } from '../../storage/format/partition-head.ts'
import { type Proof, prove } from '../evidence/proofs.ts'
import { isKnown, isWhole } from '../evidence/trust-table.ts'
import type { BookColumns } from './book-columns.ts'
import type { BookMark } from './book-mark.ts'
import type { ComparedLevel } from './level-key.ts'
import type { OrderBook } from './order-book.ts'
import { applyLevel, type Impossible, impossibleIn, ShapeCursor } from './shape-cursor.ts'

export interface QuoteSink {
  /** Called when the quote at `book.openQuoteMs` is complete. `book` shows the quote. `record` is the index, in the
   *  block, of the record that ends the quote. */
  quote(book: OrderBook, number: number, record: number): void
  /** Called after a gap made the book lost. The book is empty now. */
  gap(book: OrderBook, number: number, timeMs: number, record: number): void
  /** Called before a gap makes the book lost. */
  losing?(book: OrderBook, number: number, record: number): void
  /** Called after a gap made every book of the market lost, including books without a record yet. */
  marketGap(timeMs: number): void
  /** Called when the date shows another source from `atMs` on. `before` is the book until then, `after` is the book of
   *  that source. The open quote was already reported, as at the end of a replay. `mark` is read from the same state as
   *  `after`. */
  switched?(before: OrderBook, after: OrderBook, atMs: number, mark: BookMark): void
  /** Called before and after a snapshot is applied. */
  snapshot?(book: OrderBook, number: number, record: number): void
  snapshotApplied?(book: OrderBook, number: number, record: number, wasTrusted: BookTrust): void
  /** Called if a record cannot be applied in full, which is evidence against the book: an unreadable change of a
   *  known book, or a size below 0 in a whole book. The rest of the record is applied. */
  impossible?(number: number, record: number, what: Impossible): void
  /** Returns whether the sink compares the levels of the book's next change. */
  isComparing?(number: number): boolean
  /** Called before a change while `isComparing` is true. The returned callback receives each level of the change: its
   *  key (`levelKey`), the size that was set or added, and the sizes after and before. */
  comparedLevels?(number: number, record: number): ComparedLevel | undefined
  /** Replaces `comparedLevels` for sinks that read the levels of every change. Called when a record has set this cell
   *  of the ladder and nothing else. A run of such records reports no quotes. */
  changedCell?(record: number, cell: number, sizeNow: number, sizeBefore: number): void
}

/** A sink that ignores all events. Used for records that only lead up to the requested time. */
export const SILENT: QuoteSink = { quote: () => {}, gap: () => {}, marketGap: () => {} }

/** Applies all records of a block. `books` is indexed by book number; undefined books are skipped. */
export function replayBlock(columns: BookColumns, books: (OrderBook | undefined)[], sink: QuoteSink): void {
  new BlockReplay(columns, books).to(columns.recordCount, sink)
}

/** A block that is applied part by part. */
export class BlockReplay {
  readonly columns: BookColumns
  readonly #books: (OrderBook | undefined)[]
  readonly #cursors: ShapeCursor[]
  readonly #proofs: readonly Proof[]
  /** Number of records applied so far. */
  applied = 0

  /** `proofs` are the records of the day after which a hash confirms a book. */
  constructor(columns: BookColumns, books: (OrderBook | undefined)[], proofs: readonly Proof[] = []) {
    this.columns = columns
    this.#books = books
    this.#proofs = proofs
    for (const { number, record } of proofs) if (record < 0) prove(books[number])
    this.#cursors = columns.shapes.map((shape) => new ShapeCursor(shape))
  }

  /** Applies the records before `end` that are not applied yet. */
  to(end: number, sink: QuoteSink): void {
    for (const { number, record } of this.#proofs) {
      if (record < this.applied || record >= end) continue
      this.#to(record + 1, sink)
      prove(this.#books[number])
    }
    if (end > this.applied) this.#to(end, sink)
  }

  #to(end: number, sink: QuoteSink): void {
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
    // A book that has the venue's best prices takes the path below, where the next record clears these prices.
    if (cursor.isSingle && book.trust === 'established' && Number.isNaN(book.venueBid)) {
      if (!isComparing) {
        record = replayRun(columns, record, end, cursor, book, sink)
        continue
      }
      const last = sink.changedCell === undefined ? -1 : replayCells(columns, record, end, cursor, book, sink)
      if (last >= record) {
        record = last
        continue
      }
    }
    if ((operation & 1) === 1 && book.openQuoteMs >= 0) sink.quote(book, number, record)
    const { trust } = book
    if (cursor.isSnapshot) {
      sink.snapshot?.(book, number, record)
      book.reset('snapshot')
    }
    let found: Impossible | undefined
    if (book.trust === 'lost') cursor.skip()
    else
      found = cursor.apply(book, isComparing && !cursor.isSnapshot ? sink.comparedLevels?.(number, record) : undefined)
    if (cursor.isSnapshot) sink.snapshotApplied?.(book, number, record, trust)
    if (found !== undefined && (found === 'unreadable_change' ? isKnown : isWhole)(book.trust))
      sink.impossible?.(number, record, found)
    book.openQuoteMs = timesMs[record]!
  }
}

/** Applies a run of records from `first` on. Each record is one change of the same established book; most of a day
 *  consists of such records. Returns the last record of the run. */
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
    if (cell >= 0) {
      const size = isSigned ? ladderSizes[cell]! + sizes[row]! : sizes[row]!
      if (size < 0 && isSigned) sink.impossible?.(number, record, 'below_zero')
      ladder.set(cell, size)
    } else {
      const found = impossibleIn(applyLevel(levels, row, isSigned, book), isSigned)
      if (found !== undefined) sink.impossible?.(number, record, found)
    }
    row++
  }
  cursor.row = row
  book.openQuoteMs = timesMs[record - 1]!
  return record - 1
}

/** Like `replayRun`, for sinks that read each change. Ends before a change without a cell. Returns the last record
 *  applied: `first` - 1 if the first change has no cell. */
function replayCells(
  columns: BookColumns,
  first: number,
  end: number,
  cursor: ShapeCursor,
  book: OrderBook,
  sink: QuoteSink,
): number {
  const { timesMs, operations, books: numbers } = columns
  const { cells, sizes, isSigned } = cursor
  const { ladder } = book
  const ladderSizes = ladder.sizes
  const number = numbers[first]!
  const shape = operations[first]! >>> 1
  let row = cursor.row
  let record = first
  for (; record < end; record++, row++) {
    const cell = cells[row]!
    if (operations[record]! >>> 1 !== shape || numbers[record] !== number || cell < 0) break
    const before = ladderSizes[cell]!
    ladder.set(cell, isSigned ? before + sizes[row]! : sizes[row]!)
    sink.changedCell!(record, cell, ladderSizes[cell]!, before)
  }
  cursor.row = row
  if (record > first) book.openQuoteMs = timesMs[record - 1]!
  return record - 1
}

/** Ends the quotes that are still open. No record ends them, so the sink gets record 0. */
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
  sink.marketGap(timeMs)
}

function lose(book: OrderBook, number: number, sink: QuoteSink, timeMs: number, record: number): void {
  if (book.openQuoteMs >= 0) sink.quote(book, number, record)
  book.openQuoteMs = -1
  sink.losing?.(book, number, record)
  book.reset('gap')
  sink.gap(book, number, timeMs, record)
}

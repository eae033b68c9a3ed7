// Computes the buckets of one book over a planned day: adds rows of rollups, and replays blocks.

import { readingOf } from '../../storage/damage.ts'
import { startMsOf } from '../../storage/format/partition-head.ts'
import { NO_TOP, type Top } from '../book/order-book.ts'
import { type QuoteSink, SILENT } from '../book/replay.ts'
import { BookCursor, type DayParts } from '../read/book-cursor.ts'
import type { BucketBuilder } from './bucket-builder.ts'
import type { BucketColumns } from './bucket-columns.ts'
import { BucketGrid } from './bucket-grid.ts'
import { releaseColumns, takeColumns } from './column-pool.ts'
import type { BlocksPiece, PlannedDay, RollupPiece } from './plan-day.ts'
import { decodeRollup } from './rollup-codec.ts'

const ROW_SECONDS = { seconds: 1, minutes: 60 }
const ROW_GRIDS = { seconds: new BucketGrid(ROW_SECONDS.seconds), minutes: new BucketGrid(ROW_SECONDS.minutes) }

export class DaySummary {
  readonly #day: DayParts
  readonly #plan: PlannedDay
  readonly #book: string
  readonly #toMs: number
  readonly #builder: BucketBuilder
  /** A cursor before the first block. Set if the starting top was read from this cursor and no block has been applied
   *  since. */
  #first: BookCursor | undefined
  /** Time of the open quote after the last piece, -1 if none is open. */
  #openMs = -1

  constructor(day: DayParts, plan: PlannedDay, { book, toMs }: { book: string; toMs: number }, builder: BucketBuilder) {
    this.#day = day
    this.#plan = plan
    this.#book = book
    this.#toMs = toMs
    this.#builder = builder
  }

  /** Returns the top of the book at the start of the first piece. */
  startingTop(): Top {
    const { head } = this.#day
    const { firstBlock, bookIndex } = this.#plan
    if (firstBlock === 0) return head.books[bookIndex]?.opening ?? NO_TOP
    const top = { ...NO_TOP }
    this.#first = this.#cursorAt(firstBlock)
    this.#first.book.readTop(top)
    return top
  }

  addTo(): void {
    const { pieces, bookIndex } = this.#plan
    for (const piece of pieces) {
      if (piece.isBeyond && !this.#isOpen()) return
      if (piece.begins !== undefined) this.#switch(piece.begins)
      if (piece.kind === 'rollup') this.#addRollup(piece)
      else if (this.#replayPiece(piece)) return
    }
    const last = this.#day.head.books[bookIndex]?.last ?? null
    if (pieces.length > 0 && last !== null && this.#isOpen()) this.#builder.quoteAt(last.timeMs, last)
  }

  /** Reports a switch to another source before a block. */
  #switch(block: number): void {
    const cursor = this.#cursorAt(block)
    if (block === 0) cursor.enter(block, SILENT)
    this.#builder.switched(cursor.book, cursor.book, this.#day.head.blocks[block]!.begins!)
    cursor.release()
  }

  #isOpen(): boolean {
    return this.#openMs >= 0 && this.#openMs <= this.#toMs
  }

  #addRollup({ level, id, beforeMs, openMs }: RollupPiece): void {
    this.#openMs = openMs
    const entry = this.#day.head.rollups.find((rollup) => rollup.id === id)!
    const book = this.#plan.bookIndex
    if ((entry[level]?.[book] ?? 0) === 0) return
    const rows = readingOf(this.#day.key, level, () =>
      decodeRollup(this.#day.bytes({ kind: level, id, book }), {
        columnsOf: takeColumns,
        candles: this.#builder.candles,
      }),
    )
    const grid = ROW_GRIDS[level]
    const count = rowsBefore(rows, grid.firstFrom(beforeMs))
    const addRow = (row: number) => this.#builder.addRow(rows, row, grid.startMs(rows.numbers[row]!))
    let next = 0
    if (this.#builder.resolutionSeconds === ROW_SECONDS[level]) {
      // These rows are whole buckets. But the first may belong to the bucket that is open already, and the last may
      // receive more quotes.
      while (next < count && (next === 0 || rows.numbers[next - 1]! < this.#builder.first)) addRow(next++)
      if (next < count - 1) this.#builder.addBuckets(rows, next, count - 1)
      next = Math.max(next, count - 1)
    }
    for (; next < count; next++) addRow(next)
    releaseColumns(rows)
  }

  /** Replays a piece. Returns true if the rest of the day need not be read. */
  #replayPiece(piece: BlocksPiece): boolean {
    const cursor = (piece.from === this.#plan.firstBlock ? this.#first : undefined) ?? this.#cursorAt(piece.from)
    this.#first = undefined
    const isDone = this.#replay(piece, cursor)
    cursor.release()
    return isDone
  }

  #replay({ from, to, fromMs, isLast }: BlocksPiece, cursor: BookCursor): boolean {
    const { blocks } = this.#day.head
    const sink = fromMs === Number.NEGATIVE_INFINITY ? this.#builder : quotesFrom(fromMs, this.#builder)
    for (let index = from; index < to; index++) {
      this.#openMs = cursor.openQuoteMs
      if (startMsOf(blocks[index]!) > this.#toMs && !this.#isOpen()) return true
      cursor.apply(index, sink)
    }
    this.#openMs = cursor.openQuoteMs
    if (isLast || blocks[to]!.begins !== undefined) cursor.finish(sink)
    if (!isLast) this.#openMs = cursor.openQuoteMs
    return isLast
  }

  #cursorAt(block: number): BookCursor {
    return new BookCursor(this.#day, { id: this.#book, index: this.#plan.bookIndex }, block)
  }
}

/** Returns the number of rows with bucket numbers below `number`. */
function rowsBefore({ numbers, count }: BucketColumns, number: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}

/** Forwards the events from `fromMs` on. Earlier events are known already. */
const quotesFrom = (fromMs: number, sink: BucketBuilder): QuoteSink => ({
  quote: (book) => {
    if (book.openQuoteMs >= fromMs) sink.quote(book)
  },
  gap: (book, number, timeMs) => {
    if (timeMs >= fromMs) sink.gap(book, number, timeMs)
  },
  switched: (before, after, atMs) => {
    if (atMs >= fromMs) sink.switched(before, after, atMs)
  },
  marketGap: () => {},
})

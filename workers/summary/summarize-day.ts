// The buckets of one book over a planned day: rows of rollups are added, blocks are replayed.

import { blockPart, type PartId, type PartitionBooks, statePart } from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import { decodeBlock } from '../../storage/format/block.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { bookColumns } from '../book/book-columns.ts'
import { bookOf, decodeBooks } from '../book/book-state.ts'
import { NO_TOP, OrderBook, type Top } from '../book/order-book.ts'
import { finishReplay, type QuoteSink, replayBlock } from '../book/replay.ts'
import type { BucketBuilder } from './bucket-builder.ts'
import { BucketGrid } from './bucket-grid.ts'
import { type BlocksPiece, isRead, type PlannedDay, type RollupPiece } from './plan-day.ts'
import { decodeRollup } from './rollup-codec.ts'

/** A day's head, and its parts read without waiting. */
export type DayParts = {
  key: PartitionKey
  head: PartitionHead
  books(): PartitionBooks
  bytes(part: PartId): Uint8Array
}

const ROW_GRIDS = { seconds: new BucketGrid(1), minutes: new BucketGrid(60) }

export class DaySummary {
  readonly #day: DayParts
  readonly #plan: PlannedDay
  readonly #book: string
  readonly #toMs: number
  readonly #builder: BucketBuilder
  /** Time of the quote that is open after the piece read last, -1 where none is. */
  #openMs = -1

  constructor(day: DayParts, plan: PlannedDay, { book, toMs }: { book: string; toMs: number }, builder: BucketBuilder) {
    this.#day = day
    this.#plan = plan
    this.#book = book
    this.#toMs = toMs
    this.#builder = builder
  }

  /** The top of the book where the first piece begins. */
  startingTop(): Top {
    const { head } = this.#day
    const { firstBlock, bookIndex } = this.#plan
    if (firstBlock === 0) return head.books[bookIndex]?.opening ?? NO_TOP
    const top = { ...NO_TOP }
    this.#bookAt(firstBlock).readTop(top)
    return top
  }

  addTo(): void {
    const { pieces, bookIndex } = this.#plan
    for (const piece of pieces) {
      if (piece.isBeyond && !this.#isOpen()) return
      if (piece.kind === 'rollup') this.#addRollup(piece)
      else if (this.#replay(piece)) return
    }
    const last = this.#day.head.books[bookIndex]?.last ?? null
    if (pieces.length > 0 && last !== null && this.#isOpen()) this.#builder.quoteAt(last.timeMs, last)
  }

  #isOpen(): boolean {
    return this.#openMs >= 0 && this.#openMs <= this.#toMs
  }

  #addRollup({ level, id, beforeMs, openMs }: RollupPiece): void {
    this.#openMs = openMs
    const entry = this.#day.head.rollups.find((rollup) => rollup.id === id)!
    const book = this.#plan.bookIndex
    if ((entry[level]?.[book] ?? 0) === 0) return
    const rows = this.#reading(level, () => decodeRollup(this.#day.bytes({ kind: level, id, book })))
    const grid = ROW_GRIDS[level]
    for (let row = 0; row < rows.count; row++) {
      const startMs = grid.startMs(rows.numbers[row]!)
      if (startMs >= beforeMs) return
      this.#builder.addRow(rows, row, startMs)
    }
  }

  /** True where nothing of the day need be read any more. */
  #replay({ from, to, fromMs, isLast }: BlocksPiece): boolean {
    const { head } = this.#day
    const { bookIndex } = this.#plan
    const book = this.#bookAt(from)
    const books: (OrderBook | undefined)[] = []
    books[bookIndex + 1] = book
    const sink = fromMs === Number.NEGATIVE_INFINITY ? this.#builder : quotesFrom(fromMs, this.#builder)
    const isOpen = () => book.openQuoteMs >= 0 && book.openQuoteMs <= this.#toMs
    for (let index = from; index < to; index++) {
      const entry = head.blocks[index]!
      if (entry.firstMs > this.#toMs && !isOpen()) return true
      if (!isRead(head, entry, bookIndex)) continue
      const columns = this.#reading(`block ${index}`, () =>
        bookColumns(decodeBlock(this.#day.bytes(blockPart(entry.id)))),
      )
      replayBlock(columns, books, sink)
    }
    this.#openMs = book.openQuoteMs
    if (isLast) finishReplay(books, sink)
    return isLast
  }

  #bookAt(block: number): OrderBook {
    return this.#reading(block === 0 ? 'books' : `state ${block}`, () => {
      const { stateId } = this.#day.head.blocks[block]!
      const bytes = block === 0 ? this.#day.books().opening : this.#day.bytes(statePart(stateId))
      return (bytes === null ? undefined : bookOf(decodeBooks(bytes), this.#book)) ?? new OrderBook()
    })
  }

  #reading<T>(what: string, read: () => T): T {
    return readingOf(this.#day.key, what, read)
  }
}

/** Passes on quotes from a moment on: those before it are known. */
const quotesFrom = (fromMs: number, sink: BucketBuilder): QuoteSink => ({
  quote: (book) => {
    if (book.openQuoteMs >= fromMs) sink.quote(book)
  },
  gap: (book, number, timeMs) => {
    if (timeMs >= fromMs) sink.gap(book, number, timeMs)
  },
  marketGap: () => {},
})

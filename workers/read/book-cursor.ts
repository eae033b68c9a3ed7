// One book of a stored day, replayed from any block on: it loads the state that the block starts from, and applies
// block after block. What is asked of a book is a sink of this replay.

import { blockPart, type PartId, type PartitionBooks, statePart } from '../../storage/block-store.ts'
import { readingOf } from '../../storage/damage.ts'
import { type Block, decodeBlock } from '../../storage/format/block.ts'
import { type BlockEntry, type PartitionHead, spanStartOf } from '../../storage/format/partition-head.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { bookColumns, freeColumns, type LevelsWanted } from '../book/book-columns.ts'
import { type BookMark, NO_MARK } from '../book/book-mark.ts'
import { releaseBook, takeBook } from '../book/book-pool.ts'
import { bookOf, decodeState, type NamedBook } from '../book/book-state.ts'
import type { OrderBook } from '../book/order-book.ts'
import { BlockReplay, finishReplay, type QuoteSink } from '../book/replay.ts'
import { isProven, proofsFrom, prove } from '../evidence/proofs.ts'

/** A day's head, and its parts read without waiting. */
export type DayParts = {
  key: PartitionKey
  head: PartitionHead
  books(): PartitionBooks
  bytes(part: PartId): Uint8Array
}

/** `progress` is what the state has beside its books. */
export type StoredBook = Omit<NamedBook, 'id'> & { progress: unknown }
export type BegunBlock = { block: Block; replay: BlockReplay }

export class BookCursor {
  /** As it stands after the blocks applied so far. */
  readonly book: OrderBook
  /** Of the state that the cursor began at. */
  readonly mark: BookMark
  readonly progress: unknown
  readonly #day: DayParts
  readonly #books: (OrderBook | undefined)[] = []
  readonly #id: string
  readonly #index: number
  /** The block that it began before. */
  readonly #first: number

  /** Before a block, or at the day's end; `index` is that of the book in the head. `before` is the book that the day
   *  continues, where it is known. Throws DataError('block_corrupt'), as `apply` does. */
  constructor(day: DayParts, { id, index }: { id: string; index: number }, block: number, before?: StoredBook) {
    this.#day = day
    this.#id = id
    this.#index = index
    this.#first = block
    const { book, mark, progress } = before ?? bookBefore(day, id, block === 0 ? OPENING : block)
    this.book = book
    this.mark = mark
    this.progress = progress
    this.#books[index + 1] = book
    const firstRecord = day.head.blocks[block]?.firstRecord ?? day.head.recordCount
    if (isProven(day.head.books[index], spanStartOf(day.head, block), firstRecord)) prove(book)
  }

  /** Time of the quote that records of the next block may still belong to; -1 where none is open. */
  get openQuoteMs(): number {
    return this.book.openQuoteMs
  }

  /** Replays a block; one that does not concern the book is not read. */
  apply(block: number, sink: QuoteSink): void {
    this.enter(block, sink)
    const begun = this.begin(block)
    if (begun === undefined) return
    const { columns } = begun.replay
    begun.replay.to(columns.recordCount, sink)
    freeColumns(columns)
  }

  /** To be called before each block is begun: its books may be those of another source. */
  enter(block: number, sink: QuoteSink): void {
    const { begins } = this.#day.head.blocks[block]!
    if (begins !== undefined && (block !== this.#first || block === 0)) this.#switch(block, begins, sink)
  }

  /** The day begins with another source than the one before it was last of. */
  enterDay(startMs: number, sink: QuoteSink): void {
    this.#switch(OPENING, startMs, sink)
  }

  #switch(block: number, atMs: number, sink: QuoteSink): void {
    this.finish(sink)
    const { book, mark } = bookBefore(this.#day, this.#id, block)
    sink.switched?.(this.book, book, atMs, mark)
    this.book.become(book)
    releaseBook(book)
  }

  /** To replay a block piece by piece, or what is wanted of it; undefined for one that does not concern the book. */
  begin(index: number, wanted?: LevelsWanted): BegunBlock | undefined {
    const { key, head, bytes } = this.#day
    const entry = head.blocks[index]!
    if (!isRead(head, entry, this.#index)) return undefined
    return readingOf(key, `block ${index}`, () => {
      const block = decodeBlock(bytes(blockPart(entry.id)))
      // A book that is not observed any more will not be again.
      const hasBest = wanted === undefined || this.book.trust === 'observed'
      const proofs = proofsFrom(head.books, entry.firstRecord, spanStartOf(head, index))
      return { block, replay: new BlockReplay(bookColumns(block, wanted, hasBest), this.#books, proofs) }
    })
  }

  /** Nothing follows, and nobody looks at the book any more. */
  release(): void {
    releaseBook(this.book)
  }

  /** Nothing follows: the open quote is complete. */
  finish(sink: QuoteSink): void {
    finishReplay(this.#books, sink)
  }
}

/** Whether a block has records that concern the book: a gap may be of all books. */
export const isRead = ({ gaps }: PartitionHead, block: BlockEntry, bookIndex: number): boolean =>
  gaps.length > 0 || (block.bookRecords[bookIndex] ?? 0) > 0

/** In place of a block: before all that a day says. */
const OPENING = -1

/** The book before a block; behind the last one are the day's closing books. */
function bookBefore({ key, head, books, bytes }: DayParts, id: string, block: number): StoredBook {
  return readingOf(key, block === OPENING ? 'books' : `state ${block}`, () => {
    const entry = head.blocks[block]
    const state =
      block === OPENING ? books().opening : entry === undefined ? books().closing : bytes(statePart(entry.stateId))
    const { books: named, progress } = state === null ? { books: [], progress: null } : decodeState(state)
    const found = bookOf(named, id)
    for (const other of named) if (other !== found) releaseBook(other.book)
    return { ...(found ?? { book: takeBook(), mark: NO_MARK }), progress }
  })
}

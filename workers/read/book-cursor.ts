// Replays one book of a stored day from any block on. Loads the book's state before that block, then applies block
// after block. Every computation over a book is a sink of this replay.

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

/** The head of a day, and access to the parts of the day that are loaded. */
export type DayParts = {
  key: PartitionKey
  head: PartitionHead
  books(): PartitionBooks
  bytes(part: PartId): Uint8Array
}

/** `progress` is the rest of the stored state, besides the books. */
export type StoredBook = Omit<NamedBook, 'id'> & { progress: unknown }
export type BegunBlock = { block: Block; replay: BlockReplay }

export class BookCursor {
  /** The book after the blocks applied so far. */
  readonly book: OrderBook
  /** Mark of the book in the state at which the cursor began. */
  readonly mark: BookMark
  readonly progress: unknown
  readonly #day: DayParts
  readonly #books: (OrderBook | undefined)[] = []
  readonly #id: string
  readonly #index: number
  /** The block before which the cursor began. */
  readonly #first: number

  /** Begins before the block with the index `block`, or at the end of the day if `block` is the number of blocks.
   *  `index` is the index of the book in the head. `before` is the book that the day continues, if known. Throws
   *  DataError('block_corrupt'), as `apply` does. */
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

  /** Time of the open quote, or -1 if none is open. Records of the next block may still belong to this quote. */
  get openQuoteMs(): number {
    return this.book.openQuoteMs
  }

  /** Replays a block. Skips a block that need not be read for the book (see `isRead`). */
  apply(block: number, sink: QuoteSink): void {
    this.enter(block, sink)
    const begun = this.begin(block)
    if (begun === undefined) return
    const { columns } = begun.replay
    begun.replay.to(columns.recordCount, sink)
    freeColumns(columns)
  }

  /** Enters a block, at which the day may switch to another source. Must be called before each block is begun. */
  enter(block: number, sink: QuoteSink): void {
    const { begins } = this.#day.head.blocks[block]!
    if (begins !== undefined && (block !== this.#first || block === 0)) this.#switch(block, begins, sink)
  }

  /** Enters a day that shows another source than the end of the day before. Must be called at the start of such a
   *  day. */
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

  /** Decodes a block, or only the part in `wanted`, so that it can be replayed in steps. Returns undefined if the
   *  block need not be read for the book (see `isRead`). */
  begin(index: number, wanted?: LevelsWanted): BegunBlock | undefined {
    const { key, head, bytes } = this.#day
    const entry = head.blocks[index]!
    if (!isRead(head, entry, this.#index)) return undefined
    return readingOf(key, `block ${index}`, () => {
      const block = decodeBlock(bytes(blockPart(entry.id)))
      // A book that is no longer `observed` never becomes `observed` again.
      const hasBest = wanted === undefined || this.book.trust === 'observed'
      const proofs = proofsFrom(head.books, entry.firstRecord, spanStartOf(head, index))
      return { block, replay: new BlockReplay(bookColumns(block, wanted, hasBest), this.#books, proofs) }
    })
  }

  /** Releases the book, which must not be used afterwards. */
  release(): void {
    releaseBook(this.book)
  }

  /** Ends the replay. Completes the open quote. */
  finish(sink: QuoteSink): void {
    finishReplay(this.#books, sink)
  }
}

/** Whether a block must be read for the book. On a day with gaps every block must be read, because a gap may apply to
 *  all books. */
export const isRead = ({ gaps }: PartitionHead, block: BlockEntry, bookIndex: number): boolean =>
  gaps.length > 0 || (block.bookRecords[bookIndex] ?? 0) > 0

/** Used in place of a block's index for the opening books of the day. */
const OPENING = -1

/** Returns the book before a block. The book comes from the day's opening books if `block` is OPENING, and from its
 *  closing books if `block` is the number of blocks. */
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

// Replays a partition once it is written, for what its head and its blocks' starting states say.

import { decodeBlock } from '../../storage/format/block.ts'
import type { BlockEntry, BookEntry, GapEntry } from '../../storage/format/partition-head.ts'
import { type BookColumns, bookColumns } from '../book/book-columns.ts'
import { releaseBook, takeBook } from '../book/book-pool.ts'
import { encodeBooks, type NamedBook, UNSEEN_BOOKS } from '../book/book-state.ts'
import { ASK, BID } from '../book/ladder.ts'
import { OrderBook } from '../book/order-book.ts'
import { finishReplay, type QuoteSink, replayBlock } from '../book/replay.ts'
import { decodeWholeBlock } from '../read/decoded-block.ts'
import { gapsIn } from './gaps-in-block.ts'

export type FinishedPartition = {
  blocks: BlockEntry[]
  books: BookEntry[]
  gaps: GapEntry[]
  /** State at the start of every block but the first. */
  states: Uint8Array[]
  openingBooks: Uint8Array | null
  closingBooks: Uint8Array | null
}

/** `earlier` are the books that the latest day before it closed with. A book that was only observed is carried on as
 *  such: its levels are still the best that is known, but they do not make the next day known from its start. */
export function finishPartition(
  blockCount: number,
  read: (index: number) => Uint8Array,
  earlier: NamedBook[],
): FinishedPartition {
  const opening = openingBooks(blockCount, read, earlier)
  const replay = new PartitionReplay(opening)
  const blocks: BlockEntry[] = []
  const states: Uint8Array[] = []
  const gaps: GapEntry[] = []
  let firstRecord = 0
  for (let index = 0; index < blockCount; index++) {
    if (index > 0) states.push(replay.state())
    const block = decodeBlock(read(index))
    const columns = bookColumns(block)
    replay.apply(columns)
    blocks.push({
      firstRecord,
      recordCount: columns.recordCount,
      firstMs: columns.timesMs[0]!,
      lastMs: columns.timesMs[columns.recordCount - 1]!,
      bookRecords: recordsByBook(columns),
    })
    if (columns.shapes.some(({ kind }) => kind === 'gap')) gaps.push(...gapsIn(decodeWholeBlock(block)))
    firstRecord += columns.recordCount
  }
  finishReplay(replay.books, replay)
  const closing = replay.named()
  const finished = {
    blocks,
    books: [...replay.entries, ...replay.carriedEntries()],
    gaps,
    states,
    openingBooks: opening.length === 0 ? null : encodeBooks(opening),
    closingBooks: closing.length === 0 ? null : encodeBooks(closing),
  }
  for (const { book } of closing) releaseBook(book)
  return finished
}

/** Of the earlier books those that this day continues: its first record of them is no snapshot, or there is none. */
function openingBooks(blockCount: number, read: (index: number) => Uint8Array, earlier: NamedBook[]): NamedBook[] {
  const waiting = new Map(earlier.map((named) => [named.id, named]))
  const continued: NamedBook[] = []
  for (let index = 0; index < blockCount && waiting.size > 0; index++) {
    const { recordCount, books, operations, shapes, bookIds } = bookColumns(decodeBlock(read(index)))
    for (let record = 0; record < recordCount && waiting.size > 0; record++) {
      const id = bookIds[books[record]! - 1]
      const named = id === undefined ? undefined : waiting.get(id)
      if (named === undefined) continue
      waiting.delete(named.id)
      if (shapes[operations[record]! >>> 1]!.kind !== 'snapshot') continued.push(named)
    }
  }
  return [...continued, ...waiting.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

class PartitionReplay implements QuoteSink {
  readonly books: (OrderBook | undefined)[] = [undefined]
  readonly entries: BookEntry[] = []
  readonly #ids: string[] = []
  readonly #opening: Map<string, OrderBook>
  /** Of the opening books those that the day starts from, whatever a gap of the market makes of them later. */
  readonly #established: Set<string>
  #isMarketLost = false

  constructor(opening: NamedBook[]) {
    this.#established = new Set(opening.flatMap(({ id, book }) => (book.trust === 'established' ? [id] : [])))
    this.#opening = new Map(opening.map(({ id, book }) => [id, copyOf(book)]))
    this.#isMarketLost = this.#opening.delete(UNSEEN_BOOKS)
  }

  apply(columns: BookColumns): void {
    for (const id of columns.bookIds.slice(this.#ids.length)) this.#addBook(id)
    this.#countRecords(columns)
    replayBlock(columns, this.books, this)
  }

  quote(book: OrderBook, number: number): void {
    const entry = this.entries[number - 1]!
    entry.quoteCount++
    entry.firstQuoteMs ??= book.openQuoteMs
    entry.lastQuoteMs = book.openQuoteMs
  }

  gap(): void {}

  marketGap(): void {
    this.#isMarketLost = true
    for (const [id, book] of this.#opening) if (!this.#ids.includes(id)) book.reset('lost')
  }

  /** All books there are so far, those that are only carried too. */
  named(): NamedBook[] {
    const carried = [...this.#opening].filter(([id]) => !this.#ids.includes(id))
    return [
      ...this.#ids.map((id, i) => ({ id, book: this.books[i + 1]! })),
      ...carried.map(([id, book]) => ({ id, book })),
      ...(this.#isMarketLost ? [lostBooks()] : []),
    ]
  }

  /** Entries of the books that have no record on this day. */
  carriedEntries(): BookEntry[] {
    return [...this.#opening.keys()].filter((id) => !this.#ids.includes(id)).map((id) => this.#newEntry(id))
  }

  state(): Uint8Array {
    return encodeBooks(this.named())
  }

  #addBook(id: string): void {
    const opening = this.#opening.get(id)
    this.#ids.push(id)
    const book = opening ?? takeBook()
    if (this.#isMarketLost && opening === undefined) book.reset('lost')
    this.books.push(book)
    this.entries.push(this.#newEntry(id))
  }

  #newEntry(id: string): BookEntry {
    const startsFrom = this.#established.has(id) ? 'opening_book' : 'neither'
    return { id, recordCount: 0, quoteCount: 0, firstQuoteMs: null, lastQuoteMs: null, startsFrom, snapshotCount: 0 }
  }

  #countRecords({ recordCount, books, operations, shapes }: BookColumns): void {
    for (let record = 0; record < recordCount; record++) {
      const entry = this.entries[books[record]! - 1]
      if (entry === undefined) continue
      const isSnapshot = shapes[operations[record]! >>> 1]!.kind === 'snapshot'
      if (isSnapshot) entry.snapshotCount++
      if (entry.recordCount++ === 0 && isSnapshot) entry.startsFrom = 'snapshot'
    }
  }
}

function lostBooks(): NamedBook {
  const book = new OrderBook()
  book.reset('lost')
  return { id: UNSEEN_BOOKS, book }
}

function copyOf(book: OrderBook): OrderBook {
  const copy = takeBook()
  copy.trust = book.trust
  copy.venueBid = book.venueBid
  copy.venueAsk = book.venueAsk
  for (const side of [BID, ASK]) for (const [height, size] of book.levels(side)) copy.setLevel(side, height, size)
  return copy
}

function recordsByBook({ recordCount, books, bookIds }: BookColumns): number[] {
  const counts = bookIds.map(() => 0)
  for (let record = 0; record < recordCount; record++) if (books[record]! > 0) counts[books[record]! - 1]!++
  return counts
}

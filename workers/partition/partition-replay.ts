// The books of a partition while its blocks are replayed one after the other, and what its head says of them. It can
// go on from any state that it gave.

import type { BookColumns } from '../book/book-columns.ts'
import { releaseBook, takeBook } from '../book/book-pool.ts'
import { type BookState, encodeBooks, type NamedBook, UNSEEN_BOOKS } from '../book/book-state.ts'
import { NO_PRICE, type OrderBook, type Top } from '../book/order-book.ts'
import { type QuoteSink, replayBlock } from '../book/replay.ts'
import type { BookEntry } from './partition-types.ts'
import { RollupSink } from './rollup-sink.ts'

/** Kept with the books of a state. Books without a record of the day come after those with one. */
type Progress = { entries: BookEntry[]; clockUs: number[]; gapCount: number }

export class PartitionReplay implements QuoteSink {
  /** By book number; 0 is the whole market. */
  readonly books: (OrderBook | undefined)[] = [undefined]
  /** By book number - 1: books with records. Quotes that are still open are not counted. */
  readonly entries: BookEntry[] = []
  readonly rollup = new RollupSink()
  /** The quote clock after the last block. */
  clockUs: number[] = []
  gapCount = 0
  /** Books without a record so far. */
  readonly #carried = new Map<string, { book: OrderBook; entry: BookEntry }>()
  #isMarketLost = false

  /** A day at its start; `earlier` are the books that the latest day before it closed with. The books are taken over. A
   *  book that was only observed is carried as such: its levels are the best that is known, but they do not make the
   *  day known from its start. */
  static atStart(earlier: NamedBook[]): PartitionReplay {
    const replay = new PartitionReplay()
    for (const { id, book } of earlier) {
      book.openQuoteMs = -1
      if (id === UNSEEN_BOOKS) replay.#isMarketLost = true
      else replay.#carried.set(id, { book, entry: carriedEntry(id, book) })
    }
    return replay
  }

  /** Goes on from what `state` gave. */
  static from({ books, progress }: BookState): PartitionReplay {
    const { entries, clockUs, gapCount } = progress as Progress
    const replay = new PartitionReplay()
    replay.clockUs = clockUs
    replay.gapCount = gapCount
    const byId = new Map(books.map(({ id, book }) => [id, book]))
    replay.#isMarketLost = byId.has(UNSEEN_BOOKS)
    for (const entry of entries) {
      const book = byId.get(entry.id)!
      if (entry.recordCount === 0) {
        replay.#carried.set(entry.id, { book, entry })
        continue
      }
      replay.entries.push(entry)
      replay.books.push(book)
    }
    return replay
  }

  /** The quote clock of a state. */
  static clockOf = ({ progress }: BookState): number[] => (progress as Progress).clockUs

  /** Ids of the books with records, by number - 1. */
  ids(): string[] {
    return this.entries.map(({ id }) => id)
  }

  apply(columns: BookColumns): void {
    for (const id of columns.bookIds.slice(this.entries.length)) this.#addBook(id)
    this.#countRecords(columns)
    replayBlock(columns, this.books, this)
  }

  quote(book: OrderBook, number: number): void {
    const entry = this.entries[number - 1]!
    entry.quoteCount++
    entry.firstQuoteMs ??= book.openQuoteMs
    entry.lastQuoteMs = book.openQuoteMs
    this.rollup.quote(book, number)
  }

  gap(book: OrderBook, number: number, timeMs: number): void {
    this.rollup.gap(book, number, timeMs)
  }

  marketGap(): void {
    this.#isMarketLost = true
    for (const { book } of this.#carried.values()) book.reset('lost')
  }

  /** Where the next block begins. */
  state(): Uint8Array {
    const carried = [...this.#carried].map(([id, { book }]) => ({ id, book }))
    const named = [...this.entries.map(({ id }, i) => ({ id, book: this.books[i + 1]! })), ...carried]
    const { clockUs, gapCount } = this
    const entries = [...this.entries, ...this.#carriedEntries()]
    if (!this.#isMarketLost) return encodeBooks(named, { entries, clockUs, gapCount } satisfies Progress)
    const unseen = takeBook()
    unseen.reset('lost')
    const bytes = encodeBooks([...named, { id: UNSEEN_BOOKS, book: unseen }], { entries, clockUs, gapCount })
    releaseBook(unseen)
    return bytes
  }

  /** What the head says of all books, as if nothing followed. */
  closingEntries(): BookEntry[] {
    const seen = this.entries.map((entry, i) => {
      const book = this.books[i + 1]!
      if (book.openQuoteMs < 0) return entry
      const timeMs = book.openQuoteMs
      const firstQuoteMs = entry.firstQuoteMs ?? timeMs
      return { ...entry, quoteCount: entry.quoteCount + 1, firstQuoteMs, lastQuoteMs: timeMs, last: lastOf(book) }
    })
    return [...seen, ...this.#carriedEntries()]
  }

  /** The books must not be used afterwards. */
  release(): void {
    for (const book of this.books) if (book !== undefined) releaseBook(book)
    for (const { book } of this.#carried.values()) releaseBook(book)
  }

  #carriedEntries(): BookEntry[] {
    return [...this.#carried.values()].map(({ entry }) => entry)
  }

  #addBook(id: string): void {
    const carried = this.#carried.get(id)
    this.#carried.delete(id)
    const book = carried?.book ?? takeBook()
    if (this.#isMarketLost && carried === undefined) book.reset('lost')
    this.books.push(book)
    this.entries.push(carried?.entry ?? newEntry(id))
  }

  #countRecords({ recordCount, books, operations, shapes }: BookColumns): void {
    for (let record = 0; record < recordCount; record++) {
      const entry = this.entries[books[record]! - 1]
      if (entry === undefined) continue
      const { kind } = shapes[operations[record]! >>> 1]!
      if (kind === 'trade') entry.tradeCount++
      if (kind === 'snapshot') entry.snapshotCount++
      if (entry.recordCount++ === 0 && kind === 'snapshot') {
        entry.startsFrom = 'snapshot'
        entry.opening = null
      }
    }
  }
}

const newEntry = (id: string): BookEntry => ({
  id,
  recordCount: 0,
  tradeCount: 0,
  quoteCount: 0,
  firstQuoteMs: null,
  lastQuoteMs: null,
  startsFrom: 'neither',
  snapshotCount: 0,
  opening: null,
  last: null,
})

function carriedEntry(id: string, book: OrderBook): BookEntry {
  const startsFrom = book.trust === 'established' ? 'opening_book' : 'neither'
  return { ...newEntry(id), startsFrom, opening: topOf(book) }
}

function topOf(book: OrderBook): Top {
  const top: Top = { bid: NO_PRICE, bidSize: 0, ask: NO_PRICE, askSize: 0 }
  book.readTop(top)
  return top
}

const lastOf = (book: OrderBook) => ({ ...topOf(book), timeMs: book.openQuoteMs })

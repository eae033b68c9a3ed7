// Compares books with the hashes that the venue sent with them, while a partition is replayed (docs/books.md). Printing
// and hashing a book costs as much as applying dozens of records, so only a sample of the quotes is checked. The
// records alone decide which quotes are in the sample. The state between two blocks is small plain data, so a later
// append can continue from it.

import type { HashCounts } from '../../storage/format/partition-head.ts'
import type { RecordKind } from '../../storage/format/shape.ts'
import { isKnown } from '../evidence/trust-table.ts'
import { areOneBatch, type HashedMessage, hashedMessage } from '../venues/polymarket/book-hash.ts'
import {
  type HashedBook,
  type HashedQuote,
  HashTrials,
  NO_TRIALS,
  newHashedBook,
  type OutcomeListener,
  type TrialState,
} from '../venues/polymarket/hash-trials.ts'
import type { BookColumns } from './book-columns.ts'
import { hashedText } from './hashed-text.ts'
import { ASK, BID } from './ladder.ts'
import type { OrderBook } from './order-book.ts'

/** `text` returns a text of a message by its key, undefined if the message has none. `entryTexts` returns the texts of
 *  all entries in the message's list of changes. */
export type MessageTexts = {
  text(record: number, key: string): string | undefined
  entryTexts(record: number, key: string): string[]
}

/** The last message of a quote. `place` is the message's place in the day. `batchPrices` are the prices of the changes
 *  before the message that have the same time and hash. */
type LastMessage = HashedMessage & { batchPrices?: string[]; place: number }

/** A complete quote. `record` is the record of the block that ends the quote; 0 if no record ends it. `quote` is the
 *  number of the quote among the quotes of the book's day, from 1 on. `fromMs` returns the time of the record before
 *  the quote. */
type EndedQuote = { book: OrderBook; number: number; record: number; quote: number; fromMs: () => number }

/** The result of a hash check, if it is known at once. Other hashes may agree or contradict up to a second later.
 *  `place` is the place of the quote's last record in the day. */
export type HashOutcome = { isAgreed: boolean; place: number }

/** `open` is the last message of the book's open quote, if that quote will be checked. */
type Progress = HashedBook & { open: LastMessage | null }

/** `books` is indexed by book number - 1. */
export type HashState = TrialState & { books: Omit<Progress, 'hasSnapshot'>[] }

const CHECKED_FIRST = 16
const CHECKED_EVERY = 64

/** Returns whether the sample contains a quote. `quote` is its number among the quotes of the book's day, from 1 on. */
const isChecked = (quote: number): boolean => quote <= CHECKED_FIRST || quote % CHECKED_EVERY === 0

/** Returns whether the hash of a quote is checked: the sample contains the quote, and the book is known. An observed
 *  book without a size at one of the venue's best prices is not checked, because levels are missing from it. */
export const isDue = (book: OrderBook, quote: number): boolean =>
  isChecked(quote) && isKnown(book.trust) && book.unobservedBest(BID) < 0 && book.unobservedBest(ASK) < 0

export class HashSink {
  #trials: HashTrials
  readonly #listener: OutcomeListener | undefined
  readonly #books: Progress[]
  #columns: BookColumns | undefined
  #firstRecord = 0
  #texts: MessageTexts | undefined
  /** Indexes of the block's snapshots, trades and tick sizes. A hash covers their values in addition to the book. */
  #facts: number[] = []
  #nextFact = 0

  /** `snapshotCounts` has the number of snapshots of each book so far. */
  constructor(
    { books, ...trials }: HashState = { ...NO_TRIALS, books: [] },
    snapshotCounts: number[] = [],
    listener?: OutcomeListener,
  ) {
    this.#listener = listener
    this.#trials = new HashTrials(trials, listener)
    this.#books = books.map((book, i) => ({ ...book, hasSnapshot: snapshotCounts[i]! > 0 }))
  }

  state(): HashState {
    return { ...this.#trials.state, books: this.#books.map(({ hasSnapshot: _, ...book }) => book) }
  }

  /** Must be called before a block is replayed. */
  begin(columns: BookColumns, texts: MessageTexts, firstRecord: number): void {
    this.#firstRecord = firstRecord
    const { recordCount, operations, shapes, bookIds } = columns
    this.#columns = columns
    this.#texts = texts
    this.#nextFact = 0
    this.#facts = []
    while (this.#books.length < bookIds.length) this.#books.push({ ...newHashedBook(), open: null })
    const isFact = shapes.map(({ kind }) => kind === 'snapshot' || kind === 'trade' || kind === 'tick_size')
    if (!isFact.includes(true)) return
    for (let record = 0; record < recordCount; record++) {
      if (isFact[operations[record]! >>> 1]) this.#facts.push(record)
    }
  }

  /** Checks the hash of a quote that is due. Returns the outcome if it is known at once. */
  quote({ book, number, record, quote, fromMs }: EndedQuote): HashOutcome | undefined {
    const message = this.#messageBefore(number, record)
    if (message === null) return undefined
    this.#learnUntil(record)
    const { hash, place } = message
    const hashed = {
      ...{ hash, timeMs: book.openQuoteMs, textOf: () => hashedText(book, message) },
      batchPrices: () => this.#batchPrices(number, record, message),
      isObserved: book.trust === 'observed',
      quoteOf: (): HashedQuote => ({ book: number, quote, fromMs: fromMs() }),
    }
    const found = this.#trials.check(this.#books[number - 1]!, hashed, this.#books)
    return found === 'agrees' || found === 'disagrees' ? { isAgreed: found === 'agrees', place } : undefined
  }

  /** Forgets the pending hashes of a book. Must be called before a snapshot or a gap of the book is applied. */
  forget(number: number, record: number): void {
    this.#learnUntil(record)
    this.#trials.forget(this.#books[number - 1]!, this.#columns!.timesMs[record]!)
  }

  /** Resets the state, because the date shows another source from `atMs` on. As at the start of a day, it is unknown
   *  which values the hashes of that source cover. */
  switchAt(atMs: number): void {
    for (const book of this.#books) {
      this.#trials.expire(book, atMs)
      Object.assign(book, { tickSize: null, doubts: [], open: null })
    }
    this.#trials = new HashTrials(NO_TRIALS, this.#listener)
  }

  /** Must be called after the block was replayed. `orderBooks` is indexed by book number. `quotes` has the number of
   *  each book's open quote, by book number - 1. */
  end(orderBooks: readonly (OrderBook | undefined)[], quotes: number[]): void {
    const { recordCount } = this.#columns!
    this.#learnUntil(recordCount)
    this.#books.forEach((progress, i) => {
      const book = orderBooks[i + 1]!
      const isOpen = book.openQuoteMs >= 0 && isDue(book, quotes[i]!)
      const message = isOpen ? this.#messageBefore(i + 1, recordCount) : null
      progress.open = message && { ...message, batchPrices: this.#batchPrices(i + 1, recordCount, message) }
    })
    this.#columns = undefined
    this.#texts = undefined
  }

  /** Ends the pending hashes of a book whose last record is at `lastMs`, and returns its counts. */
  expire(number: number, lastMs: number): HashCounts {
    const book = this.#books[number - 1]!
    this.#trials.expire(book, lastMs)
    const { hashesAgreed, hashesChecked } = book
    return { hashesAgreed, hashesChecked }
  }

  /** Returns the last message of a book before a record; null if it has no hash. */
  #messageBefore(number: number, record: number): LastMessage | null {
    const last = this.#changeBefore(number, record)
    return last < 0 ? this.#books[number - 1]!.open : this.#messageAt(last)
  }

  /** Returns the last snapshot or change of a book before a record of the block; -1 if the block has none. */
  #changeBefore(number: number, record: number): number {
    if (this.#columns === undefined) return -1
    const { books } = this.#columns
    for (let before = record - 1; before >= 0; before--) {
      if (books[before] !== number) continue
      const kind = this.#kindOf(before)
      if (kind === 'snapshot' || kind === 'delta') return before
    }
    return -1
  }

  /** Returns the prices of a batch: the changes before a record that have the time and the hash of the last message,
   *  `last`. */
  #batchPrices(number: number, record: number, last: HashedMessage): string[] {
    const prices: string[] = []
    for (let before = this.#changeBefore(number, record); before >= 0; before = this.#changeBefore(number, before)) {
      const message = this.#kindOf(before) === 'delta' ? this.#messageAt(before) : null
      if (!areOneBatch(message, last)) return prices
      prices.push(...this.#texts!.entryTexts(before, 'price'))
    }
    const { open } = this.#books[number - 1]!
    return areOneBatch(open, last) ? [...prices, ...(open?.batchPrices ?? [])] : prices
  }

  #kindOf(record: number): RecordKind {
    const { operations, shapes } = this.#columns!
    return shapes[operations[record]! >>> 1]!.kind
  }

  #messageAt(record: number): LastMessage | null {
    const { books, bookIds } = this.#columns!
    const message = hashedMessage(bookIds[books[record]! - 1]!, (key) => this.#texts!.text(record, key))
    return message && { ...message, place: this.#firstRecord + record }
  }

  #learnUntil(record: number): void {
    for (; this.#nextFact < this.#facts.length; this.#nextFact++) {
      const fact = this.#facts[this.#nextFact]!
      if (fact >= record) return
      this.#learn(fact)
    }
  }

  #learn(record: number): void {
    const { books, timesMs } = this.#columns!
    const textOf = (key: string) => this.#texts!.text(record, key)
    this.#trials.learn(this.#kindOf(record), textOf, this.#books[books[record]! - 1], timesMs[record]!, this.#books)
  }
}

/** Counts of a book without records. */
export const NO_HASHES: Readonly<HashCounts> = { hashesAgreed: 0, hashesChecked: 0 }

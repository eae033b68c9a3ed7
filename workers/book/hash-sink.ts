// Compares books with the hashes that the venue sent with them, while a partition is replayed (docs/books.md).
// Printing and hashing a book costs as much as applying dozens of records, so a sample is checked, which depends on the
// records alone. Its state between two blocks is plain and small, so that a later append goes on from it.

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

/** Texts of a block's messages by their keys, and of all entries of a message's list of changes; undefined where a
 *  message has none. */
export type MessageTexts = {
  text(record: number, key: string): string | undefined
  entryTexts(record: number, key: string): string[]
}

/** The last message of a quote, its place in the day, and prices of the levels that changed with its hash. */
type LastMessage = HashedMessage & { batchPrices?: string[]; place: number }

/** A quote that a record of the block ends, `record` 0 without one; `quote` is its number among those of the book's
 *  day, from 1 on. `fromMs` gives the time of the record before it. */
type EndedQuote = { book: OrderBook; number: number; record: number; quote: number; fromMs: () => number }

/** What a hash says at once: it may still agree or contradict up to a second later. `place` is that of the quote's last
 *  record in the day. */
export type HashOutcome = { isAgreed: boolean; place: number }

/** `open` is that of a quote that is still open, and to be checked. */
type Progress = HashedBook & { open: LastMessage | null }

/** Books are by number - 1. */
export type HashState = TrialState & { books: Omit<Progress, 'hasSnapshot'>[] }

const CHECKED_FIRST = 16
const CHECKED_EVERY = 64

/** Whether the quote of this number, from 1 on, of a book's day is in the sample. */
const isChecked = (quote: number): boolean => quote <= CHECKED_FIRST || quote % CHECKED_EVERY === 0

/** Whether the hash of a quote is checked. A lost book has no hash. An observed one with no size at a best price of the
 *  venue is not whole. */
export const isDue = (book: OrderBook, quote: number): boolean =>
  isChecked(quote) && isKnown(book.trust) && book.unobservedBest(BID) < 0 && book.unobservedBest(ASK) < 0

export class HashSink {
  #trials: HashTrials
  readonly #listener: OutcomeListener | undefined
  readonly #books: Progress[]
  #columns: BookColumns | undefined
  #firstRecord = 0
  #texts: MessageTexts | undefined
  /** Records of the block that say what a hash takes beside the book. */
  #facts: number[] = []
  #nextFact = 0

  /** `snapshotCounts` are those of the books so far. */
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

  /** To be called before a block is replayed. */
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

  /** Returns the outcome of a quote that is due, if it is decided at once. */
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

  /** A snapshot or a gap of the book: to be called before it is applied. */
  forget(number: number, record: number): void {
    this.#learnUntil(record)
    this.#trials.forget(this.#books[number - 1]!, this.#columns!.timesMs[record]!)
  }

  /** Another source is shown from an instant on: what its hashes take is not known, as at the start of a day. */
  switchAt(atMs: number): void {
    for (const book of this.#books) {
      this.#trials.expire(book, atMs)
      Object.assign(book, { tickSize: null, doubts: [], open: null })
    }
    this.#trials = new HashTrials(NO_TRIALS, this.#listener)
  }

  /** To be called after the block was replayed: books by number, and by number - 1 which quote each has open. */
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

  /** Nothing follows the record at `lastMs`. */
  expire(number: number, lastMs: number): HashCounts {
    const book = this.#books[number - 1]!
    this.#trials.expire(book, lastMs)
    const { hashesAgreed, hashesChecked } = book
    return { hashesAgreed, hashesChecked }
  }

  /** The last message of a book before a record, null where it has no hash. */
  #messageBefore(number: number, record: number): LastMessage | null {
    const last = this.#changeBefore(number, record)
    return last < 0 ? this.#books[number - 1]!.open : this.#messageAt(last)
  }

  /** The last snapshot or change of a book before a record of the block; -1 where the block has none. */
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

  /** Prices of the changes before a record that have the time and the hash of the last one, `message`. */
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

/** Of a book without records. */
export const NO_HASHES: Readonly<HashCounts> = { hashesAgreed: 0, hashesChecked: 0 }

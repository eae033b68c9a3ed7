// Collects the evidence of how far the books of a day can be trusted, from the day's records and the venue's hashes.
// Notes each change of trust in the book's entry in the head (docs/books.md).

import type { BookEntry, InferredGap } from '../../storage/format/partition-head.ts'
import type { BookColumns } from '../book/book-columns.ts'
import { type HashOutcome, HashSink, type HashState, isDue, type MessageTexts } from '../book/hash-sink.ts'
import type { Books, OrderBook } from '../book/order-book.ts'
import { QualitySink } from '../book/quality-sink.ts'
import type { QualityState, RecordOrigins } from '../book/quality-state.ts'
import { addProof, prove } from '../evidence/proofs.ts'
import { AFTER } from '../evidence/trust-table.ts'
import type { OutcomeListener } from '../venues/polymarket/hash-trials.ts'
import { noteEvidence } from './trust-changes.ts'

/** The evidence so far as plain data, so that a later append can continue from it. */
export type EvidenceState = { quality: QualityState; hashes: HashState }

/** A book's entry in the head, without its quality. */
export type BookCounts = Omit<BookEntry, 'quality'>

export class BookEvidence {
  readonly quality: QualitySink
  readonly #hashes: HashSink
  /** The entries of the books; the index is the book number minus 1. The caller adds books. */
  readonly #entries: BookCounts[]

  constructor(entries: BookCounts[], quality: QualitySink, hashes: (listener: OutcomeListener) => HashSink) {
    this.#entries = entries
    this.quality = quality
    this.#hashes = hashes(({ book, quote, fromMs }, timeMs, agrees) => {
      if (agrees) this.#agree(book, quote, timeMs)
      else this.quality.hashContradicts(book, quote, fromMs)
    })
  }

  static from(entries: BookCounts[], { quality, hashes }: EvidenceState): BookEvidence {
    const snapshotCounts = entries.map((entry) => entry.snapshotCount)
    return new BookEvidence(entries, new QualitySink(quality), (listener) => {
      return new HashSink(hashes, snapshotCounts, listener)
    })
  }

  state(): EvidenceState {
    return { quality: this.quality.state(), hashes: this.#hashes.state() }
  }

  /** Adds the book with the next number. `sinceMs` is the time since which the book is shown, Unix ms; -1 if the book
   *  begins with its first record. */
  addBook(sinceMs: number): void {
    this.quality.addBook(sinceMs)
  }

  /** Ends the block that was replayed last. */
  settle(): void {
    this.quality.settle()
  }

  /** Notes that the date shows another source from `atMs` on. No quote may be open. Evidence that is pending for
   *  `books` ends at `atMs`; the index of `books` is the book number. `isShown` returns whether the new source has the
   *  book with this number. */
  switchAt(books: Books, atMs: number, isShown: (number: number) => boolean): void {
    this.#hashes.switchAt(atMs)
    this.quality.switchAt(books, atMs, isShown)
  }

  /** Must be called before a block is replayed. */
  begin(columns: BookColumns, fields: RecordOrigins & MessageTexts, firstRecord: number): void {
    this.quality.begin(columns, fields)
    this.#hashes.begin(columns, fields, firstRecord)
  }

  /** Must be called after a block was replayed. The index of `books` is the book number. */
  end(books: Books): void {
    this.#hashes.end(
      books,
      this.#entries.map(({ quoteCount }) => quoteCount + 1),
    )
  }

  /** Works like `QuoteSink.quote`, for a quote that is already counted. A hash that agrees makes the book
   *  `established`. */
  quote(book: OrderBook, number: number, record: number): void {
    const entry = this.#entries[number - 1]!
    const { quoteCount: quote } = entry
    const outcome = isDue(book, quote) ? this.#checkHash(book, number, record, quote) : undefined
    if (outcome?.isAgreed && AFTER.agreeingHash[book.trust] !== book.trust) {
      prove(book)
      addProof(entry, outcome.place)
    }
    this.quality.quote(book, number, record, quote)
    if (outcome?.isAgreed) this.#agree(number, quote, book.openQuoteMs)
    else if (outcome !== undefined)
      this.quality.hashContradicts(number, quote, this.quality.beforeQuote(number, record))
  }

  #checkHash(book: OrderBook, number: number, record: number, quote: number): HashOutcome | undefined {
    const fromMs = () => this.quality.beforeQuote(number, record)
    return this.#hashes.quote({ book, number, record, quote, fromMs })
  }

  snapshot(book: OrderBook, number: number, record: number): void {
    this.#hashes.forget(number, record)
    this.quality.snapshot(book)
  }

  losing(book: OrderBook, number: number, record: number): void {
    this.#hashes.forget(number, record)
    this.quality.losing(book, number, record)
  }

  /** Returns the entries of the head, computed as if the record at `lastMs` were the last one. Also returns the gaps
   *  inferred since the state from which this object started. The index of `books` is the book number; the books stay
   *  unchanged. */
  closing(books: Books, lastMs: number): { entries: BookEntry[]; gaps: InferredGap[] } {
    const entries = this.#entries.map((entry) => ({ ...entry, ...(entry.trust && { trust: [...entry.trust] }) }))
    const ended = BookEvidence.from(entries, this.state())
    const hashes = entries.map((entry, i) => {
      const book = books[i + 1]!
      if (book.openQuoteMs >= 0) ended.#complete(book, entry, i + 1)
      return ended.#hashes.expire(i + 1, lastMs)
    })
    const { gaps, books: counts } = ended.quality.finish(books)
    return {
      entries: entries.map((entry, i): BookEntry => ({ ...entry, quality: { ...counts[i]!, ...hashes[i]! } })),
      gaps: [...this.quality.gaps, ...gaps],
    }
  }

  /** Completes the open quote of a book; the book stays unchanged. */
  #complete(book: OrderBook, entry: BookCounts, number: number): void {
    const { trust, openQuoteMs: timeMs } = book
    entry.quoteCount++
    entry.firstQuoteMs ??= timeMs
    entry.lastQuoteMs = timeMs
    noteEvidence(entry, timeMs, 'record')
    this.quote(book, number, 0)
    entry.last = { ...book.top(), timeMs }
    book.trust = trust
  }

  /** Notes that the book matches the venue's book at a quote. From this quote on, the book is no longer doubtful. */
  #agree(number: number, quote: number, timeMs: number): void {
    this.quality.hashAgrees(number, quote, timeMs)
    noteEvidence(this.#entries[number - 1]!, timeMs, 'agreeingHash')
  }
}

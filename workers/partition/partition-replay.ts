// Holds the books of a partition and the entries of its head, while the blocks are replayed one after the other. It can
// continue from any state that it returned.

import type { BookEntry, BookTrust, InferredGap, TradeTotals } from '../../storage/format/partition-head.ts'
import type { BookColumns } from '../book/book-columns.ts'
import {
  type BookMark,
  lastMarketGap,
  type MarkedBlock,
  markAfter,
  markAfterGap,
  markAfterSwitch,
  NO_MARK,
  type RecordFields,
} from '../book/book-mark.ts'
import { releaseBook, takeBook } from '../book/book-pool.ts'
import { type BookState, encodeBooks, type NamedBook, UNSEEN_BOOKS } from '../book/book-state.ts'
import { HashSink, type HashState, type MessageTexts, NO_HASHES } from '../book/hash-sink.ts'
import type { ComparedLevel } from '../book/level-key.ts'
import type { OrderBook } from '../book/order-book.ts'
import { QualitySink } from '../book/quality-sink.ts'
import { type DayOrigin, NO_QUALITY, newState, type RecordOrigins } from '../book/quality-state.ts'
import { finishReplay, type QuoteSink, replayBlock } from '../book/replay.ts'
import type { Impossible } from '../book/shape-cursor.ts'
import type { Unbroken } from '../book-times/book-times.ts'
import { RollupSink } from '../summary/rollup-sink.ts'
import { type BookCounts, BookEvidence } from '../trust/book-evidence.ts'
import { RecordCounts } from '../trust/record-counts.ts'
import { type ShownBook, trustOf } from '../trust/shown-books.ts'
import { noteEvidence, noteSwitch } from '../trust/trust-changes.ts'
import { carriedEntry, newEntry, type Progress } from './opening-books.ts'

/** A book without a record of the day. */
type Carried = { book: OrderBook; mark: BookMark; entry: BookCounts }

/** A block, with the values that the counts of its books need. */
type AppliedBlock = Omit<MarkedBlock, 'fields'> & { fields: RecordOrigins & MessageTexts & RecordFields }

export class PartitionReplay implements QuoteSink {
  /** The books; the index is the book number. Number 0 is the whole market. */
  readonly books: (OrderBook | undefined)[] = [undefined]
  /** The entries of the books with records; the index is the book number minus 1. Open quotes are not counted. */
  readonly entries: BookCounts[]
  readonly rollup = new RollupSink()
  readonly evidence: BookEvidence
  /** The quote clock after the last block. */
  clockUs: number[] = []
  gapCount = 0
  /** The marks of the books with records; the index is the book number minus 1. */
  readonly #marks: BookMark[] = []
  /** Books without a record so far. */
  readonly #carried = new Map<string, Carried>()
  /** Mark of all books without a record; null if there was no gap of the whole market. */
  #unseen: BookMark | null = null
  /** Time of the last switch to another source, and the number of that source's first record; undefined while the day
   *  has one source. */
  #switched: Progress['switched']
  readonly #counts: RecordCounts
  /** Event times of the block that is being replayed. */
  #timesMs: BookColumns['timesMs'] = new Float64Array()

  readonly #date: string

  private constructor(date: string, entries: BookCounts[], evidence: BookEvidence, unchanged: string[] = []) {
    this.#date = date
    this.entries = entries
    this.evidence = evidence
    this.#counts = new RecordCounts(entries, unchanged)
  }

  /** Starts a day. Takes over `earlier`, the closing books of the latest day before it. A book that was only observed
   *  remains observed: its levels are all that is known, and do not make the day known. */
  static atStart(
    date: string,
    earlier: readonly NamedBook[],
    origin: DayOrigin,
    isDoubtful: (id: string) => boolean,
  ): PartitionReplay {
    const entries: BookCounts[] = []
    const quality = new QualitySink({ ...newState(origin), unbroken: origin.unbroken ?? [] })
    const evidence = new BookEvidence(entries, quality, (listener) => new HashSink(undefined, [], listener))
    const replay = new PartitionReplay(date, entries, evidence)
    for (const { id, book, mark } of earlier) {
      book.openQuoteMs = -1
      if (id === UNSEEN_BOOKS) replay.#unseen = mark
      else replay.#carried.set(id, { book, mark, entry: carriedEntry({ id, book, mark }, isDoubtful(id)) })
    }
    return replay
  }

  /** Continues from a state that `state` returned. `unbroken` is that field of the day's `DayOrigin`. */
  static from({ books, progress }: BookState, unbroken: readonly Unbroken[] = []): PartitionReplay {
    const { entries, clockUs, gapCount, hasMarketGap, quality, hashes, date, bookless, unchanged, switched } =
      progress as Progress
    const seen = entries.filter(({ recordCount }) => recordCount > 0)
    const evidence = BookEvidence.from(seen, { quality: { ...quality, unbroken }, hashes })
    const replay = new PartitionReplay(date, seen, evidence, unchanged)
    replay.clockUs = clockUs
    replay.gapCount = gapCount
    replay.#counts.bookless = bookless
    replay.#counts.hasMarketGap = hasMarketGap
    replay.#switched = switched
    const byId = new Map(books.map((named) => [named.id, named]))
    replay.#unseen = byId.get(UNSEEN_BOOKS)?.mark ?? null
    for (const entry of entries) {
      const { book, mark } = byId.get(entry.id)!
      if (entry.recordCount === 0) {
        replay.#carried.set(entry.id, { book, mark, entry })
        continue
      }
      replay.books.push(book)
      replay.#marks.push(mark)
    }
    return replay
  }

  /** Returns the quote clock of a state. */
  static clockOf = ({ progress }: BookState): number[] => (progress as Progress).clockUs

  /** Returns the state of the day's hashes in the progress of a state. */
  static hashesOf = (progress: unknown): HashState => (progress as Progress).hashes

  /** Returns the ids of the books with records. The id of book `number` is at index `number - 1`. */
  ids(): string[] {
    return this.entries.map(({ id }) => id)
  }

  /** Totals of the trades that belong to no book; undefined if there are none. */
  get bookless(): TradeTotals | undefined {
    return this.#counts.bookless
  }

  get quality(): QualitySink {
    return this.evidence.quality
  }

  apply({ columns, firstRecord, fields, tradeSizes }: AppliedBlock): void {
    for (const id of columns.bookIds.slice(this.entries.length)) this.#addBook(id)
    this.#counts.add(columns, tradeSizes, this.books)
    this.evidence.begin(columns, fields, firstRecord)
    this.#timesMs = columns.timesMs
    replayBlock(columns, this.books, this)
    this.evidence.end(this.books)
    this.#mark({ columns, firstRecord, fields, tradeSizes })
  }

  quote(book: OrderBook, number: number, record: number): void {
    const entry = this.entries[number - 1]!
    entry.quoteCount++
    entry.firstQuoteMs ??= book.openQuoteMs
    entry.lastQuoteMs = book.openQuoteMs
    if (this.#switched !== undefined) noteEvidence(entry, book.openQuoteMs, 'record')
    this.evidence.quote(book, number, record)
    this.rollup.quote(book, number)
  }

  losing(book: OrderBook, number: number, record: number): void {
    this.evidence.losing(book, number, record)
  }

  gap(book: OrderBook, number: number, timeMs: number): void {
    noteEvidence(this.entries[number - 1]!, timeMs, 'gap')
    this.rollup.gap(book, number, timeMs)
    this.quality.gap(book, number)
  }

  snapshot(book: OrderBook, number: number, record: number): void {
    this.evidence.snapshot(book, number, record)
  }

  snapshotApplied(book: OrderBook, number: number, record: number, wasTrusted: BookTrust): void {
    noteEvidence(this.entries[number - 1]!, this.#timesMs[record]!, 'snapshot')
    this.quality.snapshotApplied(book, number, record, wasTrusted)
  }

  impossible(number: number, record: number, what: Impossible): void {
    this.quality.impossible(number, record, what, this.entries[number - 1]!.quoteCount + 1)
  }

  isComparing(number: number): boolean {
    return this.quality.isComparing(number)
  }

  comparedLevels(number: number, record: number): ComparedLevel | undefined {
    return this.quality.comparedLevels(number, record)
  }

  marketGap(timeMs: number): void {
    for (const { book, entry } of this.#carried.values()) {
      book.reset('gap')
      noteEvidence(entry, timeMs, 'gap')
    }
  }

  /** Switches to another source at `atMs`. From then on, the replay has the books of that source, and no others.
   *  `record` is the number of that source's first record. */
  switchTo(shown: readonly ShownBook[], atMs: number, record: number): void {
    this.evidence.settle()
    finishReplay(this.books, this)
    const byId = new Map(shown.map((each) => [each.id, each]))
    const unseen = byId.get(UNSEEN_BOOKS)
    const shownOf = (id: string): ShownBook | undefined => byId.get(id) ?? unseen
    this.evidence.switchAt(this.books, atMs, (number) => shownOf(this.entries[number - 1]!.id) !== undefined)
    const known = [UNSEEN_BOOKS, ...this.ids(), ...this.#carried.keys()]
    for (const { id } of shown.filter((each) => !known.includes(each.id)))
      this.#carried.set(id, { book: takeBook(), mark: NO_MARK, entry: this.#unseenEntry(id) })
    const begin = (entry: BookCounts, book: OrderBook, mark: BookMark): BookMark => {
      const named = shownOf(entry.id)
      if (named === undefined) book.reset()
      else book.become(named.book)
      noteSwitch(entry, atMs, trustOf(named))
      return markAfterSwitch(mark, named?.mark ?? null, atMs)
    }
    for (const [i, entry] of this.entries.entries()) this.#marks[i] = begin(entry, this.books[i + 1]!, this.#marks[i]!)
    for (const each of this.#carried.values()) each.mark = begin(each.entry, each.book, each.mark)
    this.#unseen = unseen === undefined ? null : markAfterSwitch(NO_MARK, unseen.mark, atMs)
    this.#counts.hasMarketGap = unseen !== undefined
    this.#counts.unchanged.clear()
    this.#switched = { atMs, record }
    this.clockUs = this.clockUs.map(() => Number.NaN)
    for (const { book } of shown) releaseBook(book)
  }

  /** Returns the state that the next block starts from. */
  state(): Uint8Array {
    const carried = [...this.#carried].map(([id, { book, mark }]) => ({ id, book, mark }))
    const seen = this.entries.map(({ id }, i) => ({ id, book: this.books[i + 1]!, mark: this.#marks[i]! }))
    const named = [...seen, ...carried]
    const { clockUs, gapCount } = this
    const { bookless, hasMarketGap, unchanged } = this.#counts
    const entries = [...this.entries, ...this.#carriedEntries()]
    const { quality, hashes } = this.evidence.state()
    const progress: Progress = {
      ...{ entries, clockUs, gapCount, hasMarketGap, quality, hashes, date: this.#date },
      ...(bookless && { bookless }),
      ...(unchanged.size > 0 && { unchanged: [...unchanged] }),
      ...(this.#switched && { switched: this.#switched }),
    }
    if (this.#unseen === null) return encodeBooks(named, progress)
    const unseen = takeBook()
    unseen.reset('gap')
    const bytes = encodeBooks([...named, { id: UNSEEN_BOOKS, book: unseen, mark: this.#unseen }], progress)
    releaseBook(unseen)
    return bytes
  }

  /** Returns the head's entries of all books as if nothing followed, and the inferred gaps since the state that the
   *  replay started from. */
  closing(): { books: BookEntry[]; inferredGaps: InferredGap[] } {
    const lastMs = Math.max(...this.#marks.map(({ last }) => last?.timeMs ?? 0))
    const { entries: seen, gaps } = this.evidence.closing(this.books, lastMs)
    const carried = this.#carriedEntries().map((counts): BookEntry => ({ ...counts, quality: CARRIED_QUALITY }))
    return { books: [...seen, ...carried], inferredGaps: gaps }
  }

  /** Releases the books; they must not be used afterwards. */
  release(): void {
    for (const book of this.books) if (book !== undefined) releaseBook(book)
    for (const { book } of this.#carried.values()) releaseBook(book)
  }

  #carriedEntries(): BookCounts[] {
    return [...this.#carried.values()].map(({ entry }) => entry)
  }

  #addBook(id: string): void {
    const carried = this.#carried.get(id)
    this.#carried.delete(id)
    const book = carried?.book ?? takeBook()
    const entry = carried?.entry ?? this.#unseenEntry(id)
    if (this.#unseen !== null && carried === undefined) book.reset('gap')
    this.books.push(book)
    this.entries.push(entry)
    // A carried book of the new source is known since the switch.
    const isShown = carried !== undefined && this.#switched !== undefined
    if (!isShown) this.#counts.unchanged.add(id)
    this.evidence.addBook(isShown && carried.mark.last !== null ? this.#switched!.atMs : -1)
    this.#marks.push(carried?.mark ?? this.#unseen ?? NO_MARK)
  }

  #unseenEntry(id: string): BookCounts {
    const entry = newEntry(id)
    const lostMs = this.#counts.hasMarketGap ? this.#unseen?.change?.timeMs : 0
    if (this.#unseen !== null) noteEvidence(entry, lostMs!, 'gap')
    return entry
  }

  #mark(block: MarkedBlock): void {
    const gap = lastMarketGap(block)
    const { recordCount } = block.columns
    this.#marks.forEach((mark, i) => {
      this.#marks[i] = markAfter(mark, block, i + 1, recordCount)
    })
    if (gap === undefined) return
    this.#unseen = markAfterGap(this.#unseen ?? NO_MARK, gap)
    for (const carried of this.#carried.values()) carried.mark = markAfterGap(carried.mark, gap)
  }
}

const CARRIED_QUALITY: BookEntry['quality'] = { ...NO_QUALITY, ...NO_HASHES }

// The books of a partition while its blocks are replayed one after the other, and what its head says of them. It can
// go on from any state that it gave.

import type { RecordKind } from '../../storage/format/shape.ts'
import type { BookColumns } from '../book/book-columns.ts'
import {
  type BookMark,
  lastMarketGap,
  type MarkedBlock,
  markAfter,
  markAfterGap,
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
import { type QuoteSink, replayBlock } from '../book/replay.ts'
import type { Impossible } from '../book/shape-cursor.ts'
import { addSkippedLevels } from '../book/skipped-levels.ts'
import { addTrades } from '../book/trade-amounts.ts'
import { RollupSink } from '../summary/rollup-sink.ts'
import { type BookCounts, BookEvidence } from '../trust/book-evidence.ts'
import { noteTrust } from '../trust/trust-changes.ts'
import { carriedEntry, newEntry, type Progress } from './opening-books.ts'
import type { BookEntry, BookTrust, InferredGap, TradeTotals } from './partition-types.ts'

/** A book, and what is known of it, that has no record of the day. */
type Carried = { book: OrderBook; mark: BookMark; entry: BookCounts }

/** A block, and what its books' figures take of it. */
type AppliedBlock = Omit<MarkedBlock, 'fields'> & { fields: RecordOrigins & MessageTexts & RecordFields }

export class PartitionReplay implements QuoteSink {
  /** By book number; 0 is the whole market. */
  readonly books: (OrderBook | undefined)[] = [undefined]
  /** By book number - 1: books with records. Quotes that are still open are not counted. */
  readonly entries: BookCounts[]
  readonly rollup = new RollupSink()
  readonly evidence: BookEvidence
  /** The quote clock after the last block. */
  clockUs: number[] = []
  gapCount = 0
  /** Trades that name no book; undefined where there are none. */
  bookless: TradeTotals | undefined
  /** By book number - 1. */
  readonly #marks: BookMark[] = []
  /** Books without a record so far. */
  readonly #carried = new Map<string, Carried>()
  /** Of books that were never seen: null but after a gap of the whole market. */
  #unseen: BookMark | null = null
  #hasMarketGap = false
  /** Books with records of the day, but without a snapshot, a change or a gap so far. */
  readonly #unchanged: Set<string>
  /** Of the records of the block that is applied. */
  #timesMs: BookColumns['timesMs'] = new Float64Array()

  readonly #date: string

  private constructor(date: string, entries: BookCounts[], evidence: BookEvidence, unchanged: string[] = []) {
    this.#date = date
    this.entries = entries
    this.evidence = evidence
    this.#unchanged = new Set(unchanged)
  }

  /** A day at its start; `earlier` are the books that the latest day before it closed with, and are taken over. One
   *  that was only observed is carried as such: its levels are all that is known, and do not make the day known. */
  static atStart(
    date: string,
    earlier: readonly NamedBook[],
    origin: DayOrigin,
    isDoubtful: (id: string) => boolean,
  ): PartitionReplay {
    const entries: BookCounts[] = []
    const quality = new QualitySink(newState(origin))
    const evidence = new BookEvidence(entries, quality, (listener) => new HashSink(undefined, [], listener))
    const replay = new PartitionReplay(date, entries, evidence)
    for (const { id, book, mark } of earlier) {
      book.openQuoteMs = -1
      if (id === UNSEEN_BOOKS) replay.#unseen = mark
      else replay.#carried.set(id, { book, mark, entry: carriedEntry({ id, book, mark }, isDoubtful(id)) })
    }
    return replay
  }

  /** Goes on from what `state` gave. */
  static from({ books, progress }: BookState): PartitionReplay {
    const { entries, clockUs, gapCount, hasMarketGap, quality, hashes, date, bookless, unchanged } =
      progress as Progress
    const seen = entries.filter(({ recordCount }) => recordCount > 0)
    const replay = new PartitionReplay(date, seen, BookEvidence.from(seen, { quality, hashes }), unchanged)
    replay.clockUs = clockUs
    replay.gapCount = gapCount
    replay.bookless = bookless
    replay.#hasMarketGap = hasMarketGap
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

  /** The quote clock of a state. */
  static clockOf = ({ progress }: BookState): number[] => (progress as Progress).clockUs

  /** What a state knows of the hashes of its day so far. */
  static hashesOf = (progress: unknown): HashState => (progress as Progress).hashes

  /** Ids of the books with records, by number - 1. */
  ids(): string[] {
    return this.entries.map(({ id }) => id)
  }

  get quality(): QualitySink {
    return this.evidence.quality
  }

  apply({ columns, firstRecord, fields, tradeSizes }: AppliedBlock): void {
    for (const id of columns.bookIds.slice(this.entries.length)) this.#addBook(id)
    this.#countRecords(columns)
    this.#countTrades(columns, tradeSizes)
    addSkippedLevels(this.entries, columns)
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
    this.evidence.quote(book, number, record)
    this.rollup.quote(book, number)
  }

  losing(book: OrderBook, number: number, record: number): void {
    this.evidence.losing(book, number, record)
  }

  gap(book: OrderBook, number: number, timeMs: number): void {
    noteTrust(this.entries[number - 1]!, timeMs, 'lost')
    this.rollup.gap(book, number, timeMs)
    this.quality.gap(book, number)
  }

  snapshot(book: OrderBook, number: number, record: number): void {
    this.evidence.snapshot(book, number, record)
  }

  snapshotApplied(book: OrderBook, number: number, record: number, wasTrusted: BookTrust): void {
    const entry = this.entries[number - 1]!
    const isFirst = entry.startsFrom === 'snapshot' && entry.quoteCount === 0 && entry.trust === undefined
    const isNew = wasTrusted !== 'established' || entry.trust?.at(-1)?.[1] === 'doubtful'
    if (isNew && !isFirst) noteTrust(entry, this.#timesMs[record]!, 'established')
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
      book.reset('lost')
      noteTrust(entry, timeMs, 'lost')
    }
  }

  /** Where the next block begins. */
  state(): Uint8Array {
    const carried = [...this.#carried].map(([id, { book, mark }]) => ({ id, book, mark }))
    const seen = this.entries.map(({ id }, i) => ({ id, book: this.books[i + 1]!, mark: this.#marks[i]! }))
    const named = [...seen, ...carried]
    const { clockUs, gapCount, bookless } = this
    const [entries, hasMarketGap] = [[...this.entries, ...this.#carriedEntries()], this.#hasMarketGap]
    const { quality, hashes } = this.evidence.state()
    const progress: Progress = {
      ...{ entries, clockUs, gapCount, hasMarketGap, quality, hashes, date: this.#date },
      ...(bookless && { bookless }),
      ...(this.#unchanged.size > 0 && { unchanged: [...this.#unchanged] }),
    }
    if (this.#unseen === null) return encodeBooks(named, progress)
    const unseen = takeBook()
    unseen.reset('lost')
    const bytes = encodeBooks([...named, { id: UNSEEN_BOOKS, book: unseen, mark: this.#unseen }], progress)
    releaseBook(unseen)
    return bytes
  }

  /** What the head says of all books, as if nothing followed, and the inferred gaps since the state it began with. */
  closing(): { books: BookEntry[]; inferredGaps: InferredGap[] } {
    const lastMs = Math.max(...this.#marks.map(({ last }) => last?.timeMs ?? 0))
    const { entries: seen, gaps } = this.evidence.closing(this.books, lastMs)
    const carried = this.#carriedEntries().map((counts): BookEntry => ({ ...counts, quality: CARRIED_QUALITY }))
    return { books: [...seen, ...carried], inferredGaps: gaps }
  }

  /** The books must not be used afterwards. */
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
    const entry = carried?.entry ?? newEntry(id)
    if (this.#unseen !== null && carried === undefined) {
      book.reset('lost')
      noteTrust(entry, this.#hasMarketGap ? this.#unseen.change!.timeMs : 0, 'lost')
    }
    this.books.push(book)
    this.entries.push(entry)
    this.#unchanged.add(id)
    this.#marks.push(carried?.mark ?? this.#unseen ?? NO_MARK)
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

  #countRecords({ recordCount, books, operations, shapes }: BookColumns): void {
    for (let record = 0; record < recordCount; record++) {
      const entry = this.entries[books[record]! - 1]
      const { kind } = shapes[operations[record]! >>> 1]!
      if (entry === undefined) {
        if (kind === 'gap') this.#hasMarketGap = true
        continue
      }
      if (kind === 'snapshot') entry.snapshotCount++
      // A gap of the whole market is the first record of each book that is carried into the day.
      const continues = entry.opening !== null && this.#hasMarketGap
      entry.recordCount++
      if (isChange(kind) && this.#unchanged.delete(entry.id) && kind === 'snapshot' && !continues) {
        entry.startsFrom = 'snapshot'
        entry.opening = null
        if (entry.trust?.[0]?.[0] === 0) delete entry.trust
        this.books[books[record]!]!.reset('observed')
      }
    }
  }

  #countTrades(columns: BookColumns, sizes: MarkedBlock['tradeSizes']): void {
    const bookless = { tradeCount: 0, tradeVolume: '0', ...this.bookless }
    addTrades([bookless, ...this.entries], columns, sizes)
    if (bookless.tradeCount > 0) this.bookless = bookless
  }
}

const isChange = (kind: RecordKind): boolean => kind === 'snapshot' || kind === 'delta' || kind === 'gap'

const CARRIED_QUALITY: BookEntry['quality'] = { ...NO_QUALITY, ...NO_HASHES }

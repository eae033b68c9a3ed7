// Finds silent losses, and counts what the venue confirmed, while a partition is replayed (docs/books.md). Changes no
// book.

import type { InferredGap, InferredReason, RecordQuality } from '../../storage/format/partition-head.ts'
import type { RecordKind } from '../../storage/format/shape.ts'
import { areCovered } from '../book-times/book-times.ts'
import { SequenceSteps } from '../evidence/sequence-steps.ts'
import { isKnown, isWhole } from '../evidence/trust-table.ts'
import type { BookColumns } from './book-columns.ts'
import { type BeforeBlock, beforeQuote, type Evidence, endOfQuote, firstEvidence } from './evidence.ts'
import { difference, differenceAfter, levelsOf } from './level-difference.ts'
import type { ComparedLevel } from './level-key.ts'
import { type Books, NO_TOP, type OrderBook } from './order-book.ts'
import { type AddGap, closeSnapshot, endPending } from './quality-ends.ts'
import {
  type BeforeSnapshot,
  countsOf,
  type DayOrigin,
  fromRow,
  holeBehind,
  lastOf,
  newProgress,
  newState,
  type Progress,
  type QualityState,
  type RecordOrigins,
  switchedProgress,
  toRow,
} from './quality-state.ts'
import type { Impossible } from './shape-cursor.ts'

export class QualitySink {
  /** Gaps found since the state that the sink started from. */
  readonly gaps: InferredGap[] = []
  readonly gapsBefore: number
  readonly #books: Progress[]
  #sequence: SequenceSteps
  #origin: DayOrigin
  /** Evidence from the content of each book since its last snapshot or gap, by book number. */
  readonly #found = new Map<number, Evidence>()
  /** State of each book before the block, indexed by book number - 1. */
  #beforeBlock: BeforeBlock[] = []
  #columns: BookColumns | undefined
  #origins: RecordOrigins | undefined
  /** State before each snapshot of the block, by the record index of the snapshot. */
  #before = new Map<number, BeforeSnapshot>()
  /** Why the book was doubtful before each gap of the block, by record and book number. */
  #beforeGap = new Map<string, Evidence>()
  #levelsBefore = new Map<number, number>()
  readonly #top = { ...NO_TOP }

  constructor({ gapCount, books, seqs, isRecorded = false, isMatched = false, ...origin }: QualityState) {
    this.#origin = { isRecorded, isMatched, ...origin }
    this.gapsBefore = gapCount
    this.#books = books.map(fromRow)
    this.#sequence = new SequenceSteps(seqs)
    this.#resume()
  }

  state(): QualityState {
    this.#settle()
    const [gapCount, books] = [this.gapsBefore + this.gaps.length, this.#books.map(toRow)]
    this.#resume()
    return { ...newState(this.#origin), gapCount, books, seqs: this.#sequence.state() }
  }

  settle(): void {
    this.#settle()
    this.#resume()
  }

  addBook(sinceMs: number): void {
    this.#books.push(newProgress(sinceMs))
  }

  /** Switches to the source that the date shows from `atMs` on. `isShown(number)`: whether that source has the book. */
  switchAt(books: Books, atMs: number, isShown: (number: number) => boolean): void {
    this.#endPending(books, atMs)
    this.#books.forEach((progress, i) => {
      this.#books[i] = switchedProgress(progress, atMs, isShown(i + 1))
    })
    this.#sequence = new SequenceSteps([])
    this.#origin = { ...this.#origin, sinceMs: atMs }
  }

  /** Ends the partition: all quotes of `books` are complete. Returns the gaps, and the counts by book number - 1. */
  finish(books: Books): { gaps: InferredGap[]; books: RecordQuality[] } {
    this.#endPending(books)
    return { gaps: this.gaps, books: this.#books.map(countsOf) }
  }

  /** Must be called before a block is replayed. */
  begin(columns: BookColumns, origins: RecordOrigins): void {
    const { recordCount, timesMs, operations, books, shapes } = columns
    this.settle()
    this.#columns = columns
    this.#origins = origins
    this.#before.clear()
    this.#beforeGap.clear()
    this.#beforeBlock = this.#books.map(({ lastMs, quoteFromMs }) => ({ lastMs, quoteFromMs }))
    const { isRecorded, unbroken = [] } = this.#origin
    const sequences = isRecorded ? undefined : origins.sequences()
    for (let record = 0; record < recordCount; record++) {
      const timeMs = timesMs[record]!
      const number = books[record]!
      const operation = operations[record]!
      const { kind } = shapes[operation >>> 1]!
      const isStepBack = sequences && this.#sequence.isStepBack(sequences.sids[record]!, sequences.seqs[record]!)
      for (const progress of isStepBack ? this.#books : []) {
        const fromMs = lastOf(progress, timeMs)
        if (!areCovered(unbroken, fromMs, timeMs)) progress.evidence ??= { reason: 'sequence_restart', fromMs, record }
      }
      if (number > 0 && kind === 'delta' && (operation & 1) === 1) {
        const progress = this.#books[number - 1]!
        progress.quoteFromMs = lastOf(progress, timeMs)
      } else if (number > 0 && kind === 'snapshot') this.#books[number - 1]!.quoteFromMs = timeMs
      if (number > 0) this.#note(number, kind, record, timeMs)
      else if (kind === 'gap')
        for (let each = 1; each <= this.#books.length; each++) this.#note(each, kind, record, timeMs)
    }
  }

  #note(number: number, kind: RecordKind, record: number, timeMs: number): void {
    const progress = this.#book(number)
    const fromMs = lastOf(progress, timeMs)
    if (timeMs - fromMs > progress.longestSilenceMs) progress.longestSilenceMs = timeMs - fromMs
    this.#noteHole(progress, record, timeMs)
    progress.lastMs = timeMs
    if (kind === 'delta') progress.deltas++
    if (kind !== 'snapshot' && kind !== 'gap') return
    const { evidence, deltas } = progress
    if (kind === 'snapshot') this.#before.set(record, { fromMs, evidence, deltas })
    else if (evidence !== null) this.#beforeGap.set(`${record} ${number}`, evidence)
    progress.evidence = null
  }

  /** Adds a sequence hole between the book's last record and this one as evidence. */
  #noteHole(progress: Progress, record: number, timeMs: number): void {
    const fromMs = holeBehind(this.#origin, progress, timeMs)
    if (fromMs !== undefined) progress.evidence ??= { reason: 'sequence_hole', fromMs, record }
  }

  snapshot(book: OrderBook): void {
    this.#levelsBefore = levelsOf(book)
  }

  snapshotApplied(book: OrderBook, number: number, record: number, wasTrusted: OrderBook['trust']): void {
    this.#close(number)
    const before = this.#before.get(record)!
    const [toMs, venueUs] = [this.#columns!.timesMs[record]!, this.#origins!.venueUs(record)]
    const levels = levelsOf(book)
    const isEmpty = levels.size === 0
    const progress = this.#book(number)
    const evidence = isKnown(wasTrusted) ? firstEvidence(before.evidence, this.#found.get(number)) : null
    this.#forget(number)
    const differing = isWhole(wasTrusted) ? difference(this.#levelsBefore, levels) : null
    progress.open = { ...before, evidence, toMs, venueUs, isEmpty, differing }
    if (!isEmpty) progress.fullSnapshots++
    // The comparison includes later changes of the snapshot's venue time. Without a venue time it ends here.
    if (Number.isNaN(venueUs)) this.#close(number)
  }

  isComparing(number: number): boolean {
    return this.#book(number).open !== null
  }

  /** Returns a callback that also changes the book before the snapshot; undefined if the comparison has ended. */
  comparedLevels(number: number, record: number): ComparedLevel | undefined {
    const { open } = this.#book(number)
    if (open === null) return undefined
    if (open.venueUs !== this.#origins!.venueUs(record)) {
      this.#close(number)
      return undefined
    }
    return (...change) => {
      if (open.differing !== null) open.differing = differenceAfter(open.differing, ...change)
    }
  }

  /** `quote` is the number of the quote among the quotes of the book's day. */
  quote(book: OrderBook, number: number, record: number, quote: number): void {
    const { venueBid, venueAsk } = book
    if (!isWhole(book.trust)) return
    if (this.#origin.isMatched && book.isCrossed) this.#addEvidence(number, 'crossed', record, quote)
    if (Number.isNaN(venueBid) || Number.isNaN(venueAsk)) return
    const progress = this.#book(number)
    book.readTop(this.#top)
    progress.bestPricesChecked++
    if (this.#top.bid === venueBid && this.#top.ask === venueAsk) {
      progress.bestPricesAgreed++
      progress.missFromMs = -1
    } else if (progress.missFromMs >= 0)
      this.#addEvidence(number, 'best_price_contradicts', record, quote, progress.missFromMs)
    else progress.missFromMs = this.beforeQuote(number, record)
  }

  impossible(number: number, record: number, what: Impossible, quote: number): void {
    if (this.#found.has(number)) return
    this.#found.set(number, { reason: what, fromMs: this.#beforeEnd(number, record + 1), record, quote })
  }

  /** Notes that the hash of a quote contradicts the book. This may become known up to a second after the quote. */
  hashContradicts(number: number, quote: number, fromMs: number): void {
    const found = this.#found.get(number)
    if (found !== undefined && found.quote! <= quote) return
    this.#found.set(number, { reason: 'hash_contradicts', fromMs, record: -1, quote })
  }

  /** Notes that a quote's hash agrees with the book. Evidence against the book so far becomes a gap that ends here. */
  hashAgrees(number: number, quote: number, timeMs: number): void {
    const found = this.#found.get(number)
    if (found !== undefined && found.quote! > quote) return
    if (found !== undefined) this.#addGap(number, found.reason, found.fromMs, timeMs, null)
    this.#forget(number)
  }

  /** Adds evidence from the quote that ends before the record `end`. */
  #addEvidence(number: number, reason: Evidence['reason'], end: number, quote: number, fromMs?: number): void {
    if (this.#found.has(number)) return
    const last = this.#endOfQuote(number, end) - 1
    this.#found.set(number, { reason, fromMs: fromMs ?? this.beforeQuote(number, end), record: last, quote })
  }

  #endOfQuote(number: number, end: number): number {
    return this.#columns === undefined ? end : endOfQuote(this.#columns, number, end)
  }

  /** Finds the quote that ends before record `end`, and returns the time of the last record before that quote. */
  beforeQuote(number: number, end: number): number {
    return this.#beforeEnd(number, this.#endOfQuote(number, end))
  }

  #beforeEnd(number: number, end: number): number {
    if (this.#columns === undefined) return this.#book(number).quoteFromMs
    return beforeQuote(this.#columns, number, end, this.#beforeBlock[number - 1]!)
  }

  #forget(number: number): void {
    this.#found.delete(number)
    this.#book(number).missFromMs = -1
  }

  /** Ends the block: carries the evidence of each book over to the next one. */
  #settle(): void {
    const columns = this.#columns
    this.#books.forEach((progress, i) => {
      const evidence = firstEvidence(progress.evidence, this.#found.get(i + 1))
      if (evidence === null) return
      const isOfNumbers = evidence === progress.evidence && evidence.record >= 0
      const quoteEnd = () => (columns === undefined ? 0 : endOfQuote(columns, i + 1, columns.recordCount))
      progress.evidence = { ...evidence, record: isOfNumbers && quoteEnd() <= evidence.record ? 0 : -1 }
    })
    this.#found.clear()
    this.#columns = undefined
  }

  /** Restores the evidence that quotes in earlier blocks gave. It counts from the start of the next block. */
  #resume(): void {
    this.#books.forEach((progress, i) => {
      if (progress.evidence?.quote === undefined) return
      this.#found.set(i + 1, progress.evidence)
      progress.evidence = null
    })
  }

  /** Ends the inferred gap of a book at a gap record, which is about to make the book lost. */
  losing(book: OrderBook, number: number, record: number): void {
    const known = this.#beforeGap.get(`${record} ${number}`) ?? null
    const evidence = isKnown(book.trust) ? firstEvidence(known, this.#found.get(number)) : null
    if (evidence === null) return
    this.#addGap(number, evidence.reason, evidence.fromMs, this.#columns!.timesMs[record]!, null)
  }

  gap(_book: OrderBook, number: number): void {
    this.#close(number)
    this.#forget(number)
  }

  #book(number: number): Progress {
    return this.#books[number - 1]!
  }

  #endPending(books: Books, atMs?: number): void {
    this.#settle()
    for (const [i, each] of this.#books.entries())
      endPending(each, books[i + 1]!, holeBehind(this.#origin, each, atMs), this.#adderOf(i + 1), atMs)
  }

  #close(number: number): void {
    closeSnapshot(this.#book(number), this.#adderOf(number))
  }

  #adderOf(number: number): AddGap {
    return (...gap) => this.#addGap(number, ...gap)
  }

  #addGap(book: number, reason: InferredReason, fromMs: number, toMs: number | null, levels: number | null): void {
    this.gaps.push({ book, reason, fromMs, toMs, levelsDiffering: levels })
  }
}

// What was lost without saying so, and what the venue confirmed, while a partition is replayed (docs/books.md). It
// changes no book. Its state between two blocks is plain and small, so that a later append goes on from it.

import type { InferredGap, RecordQuality } from '../../storage/format/partition-head.ts'
import type { RecordKind } from '../../storage/format/shape.ts'
import type { BookColumns } from './book-columns.ts'
import { type DifferingLevel, difference, levelsOf } from './level-difference.ts'
import type { ComparedLevel } from './level-key.ts'
import { NO_TOP, type OrderBook } from './order-book.ts'
import type { QuoteSink } from './replay.ts'

/** Of each record of a block: `sid` and `seq` (-1 without; undefined where no record has them), and the venue's time
 *  in microseconds, NaN without one. */
export type RecordOrigins = {
  sequences(): { sids: ArrayLike<number>; seqs: ArrayLike<number> } | undefined
  venueUs(record: number): number
}

/** What stood before a snapshot: the time of the record before it, and where a new connection began, or null. */
type Before = { fromMs: number; restartFromMs: number | null; deltas: number }

/** A snapshot that is still compared: changes of its own venue time may follow. `differing` are the levels in which it
 *  differs from the book before, and their sizes in that book; null where it was not established. */
type OpenSnapshot = Before & { toMs: number; venueUs: number; isEmpty: boolean; differing: DifferingLevel[] | null }

/** An empty snapshot of a book that was not: the market's close, unless the book goes on. */
type EmptySnapshot = Before & { toMs: number; levels: number; fullSnapshots: number }

type Progress = RecordQuality & {
  lastMs: number
  deltas: number
  fullSnapshots: number
  restartFromMs: number | null
  open: OpenSnapshot | null
  empty: EmptySnapshot | null
}

/** `books` are by number - 1, `gapCount` the inferred gaps so far. `isOfTwo`: the numbers are those of two recorders'
 *  connections, which step back and forth in one day. */
export type QualityState = {
  gapCount: number
  books: ProgressRow[]
  seqs: [sid: number, seq: number][]
  isOfTwo?: boolean
}

export const newState = (isOfTwo: boolean): QualityState => ({
  ...{ gapCount: 0, books: [], seqs: [] },
  ...(isOfTwo && { isOfTwo }),
})

/** Values of a progress without their names, which would be most of it. */
type ProgressRow = [
  counts: number[],
  restartFromMs: number | null,
  open: OpenSnapshot | null,
  empty: EmptySnapshot | null,
]
const COUNTS = [
  ...(['snapshotsConfirmed', 'snapshotsContradicted', 'longestSilenceMs', 'bestPricesAgreed'] as const),
  ...(['bestPricesChecked', 'lastMs', 'deltas', 'fullSnapshots'] as const),
] as const

const toRow = (progress: Progress): ProgressRow => {
  const { restartFromMs, open, empty } = progress
  return [COUNTS.map((name) => progress[name]), restartFromMs, open, empty]
}

function fromRow([counts, restartFromMs, open, empty]: ProgressRow): Progress {
  const progress: Progress = { ...newProgress(), restartFromMs, open, empty }
  COUNTS.forEach((name, i) => {
    progress[name] = counts[i]!
  })
  return progress
}

export class QualitySink implements QuoteSink {
  /** Since the state that it began with. */
  readonly gaps: InferredGap[] = []
  readonly gapsBefore: number
  readonly #books: Progress[]
  readonly #seqs: Map<number, number>
  readonly #isOfTwo: boolean
  #sid = -1
  #seq = -1
  #columns: BookColumns | undefined
  #origins: RecordOrigins | undefined
  /** By record, what stands before each snapshot of the block. */
  #before = new Map<number, Before>()
  #levelsBefore = new Map<number, number>()
  readonly #top = { ...NO_TOP }

  constructor({ gapCount, books, seqs, isOfTwo = false }: QualityState) {
    this.#isOfTwo = isOfTwo
    this.gapsBefore = gapCount
    this.#books = books.map(fromRow)
    this.#seqs = new Map(seqs)
  }

  state(): QualityState {
    this.#keepSeq()
    const [gapCount, books] = [this.gapsBefore + this.gaps.length, this.#books.map(toRow)]
    return { ...newState(this.#isOfTwo), gapCount, books, seqs: [...this.#seqs] }
  }

  /** As if nothing followed, open quotes included; books by number - 1. The gaps are those since the state that it
   *  began with. `orderBooks` are by number. */
  quality(orderBooks: (OrderBook | undefined)[]): { gaps: InferredGap[]; books: RecordQuality[] } {
    const ended = new QualitySink(this.state())
    ended.#books.forEach((_, i) => {
      const book = orderBooks[i + 1]!
      if (book.openQuoteMs >= 0) ended.quote(book, i + 1)
      ended.#end(i + 1)
    })
    return { gaps: [...this.gaps, ...ended.gaps], books: ended.#books.map(countsOf) }
  }

  /** To be called before a block is replayed. */
  begin(columns: BookColumns, origins: RecordOrigins): void {
    const { recordCount, timesMs, operations, books, shapes, bookIds } = columns
    this.#columns = columns
    this.#origins = origins
    this.#before.clear()
    while (this.#books.length < bookIds.length) this.#books.push(newProgress())
    const sequences = this.#isOfTwo ? undefined : origins.sequences()
    for (let record = 0; record < recordCount; record++) {
      const timeMs = timesMs[record]!
      const number = books[record]!
      const { kind } = shapes[operations[record]! >>> 1]!
      if (sequences !== undefined) this.#noteSeq(sequences.sids[record]!, sequences.seqs[record]!, timeMs)
      if (number > 0) this.#note(this.#books[number - 1]!, kind, record, timeMs)
      else if (kind === 'gap') for (const progress of this.#books) this.#note(progress, kind, record, timeMs)
    }
  }

  #note(progress: Progress, kind: RecordKind, record: number, timeMs: number): void {
    const fromMs = progress.lastMs < 0 ? timeMs : progress.lastMs
    if (timeMs - fromMs > progress.longestSilenceMs) progress.longestSilenceMs = timeMs - fromMs
    progress.lastMs = timeMs
    if (kind === 'delta') progress.deltas++
    if (kind !== 'snapshot' && kind !== 'gap') return
    const { restartFromMs, deltas } = progress
    if (kind === 'snapshot') this.#before.set(record, { fromMs, restartFromMs, deltas })
    progress.restartFromMs = null
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
    const restartFromMs = wasTrusted === 'lost' ? null : before.restartFromMs
    const differing = wasTrusted === 'established' ? difference(this.#levelsBefore, levels) : null
    progress.open = { ...before, restartFromMs, toMs, venueUs, isEmpty, differing }
    if (!isEmpty) progress.fullSnapshots++
    // No record can have its time.
    if (Number.isNaN(venueUs)) this.#close(number)
  }

  isComparing(number: number): boolean {
    return this.#book(number).open !== null
  }

  /** Applies the change to the book before too; undefined where that is compared no more. */
  comparedLevels(number: number, record: number): ComparedLevel | undefined {
    const { open } = this.#book(number)
    if (open === null) return undefined
    if (open.venueUs !== this.#origins!.venueUs(record)) {
      this.#close(number)
      return undefined
    }
    return (level, change, isSigned, sizeNow) => {
      if (open.differing === null) return
      const changed = (before: number) => (isSigned ? Math.max(0, before + change) : sizeNow)
      open.differing = open.differing.flatMap(([other, before]): DifferingLevel[] => {
        if (other !== level) return [[other, before]]
        return changed(before) === sizeNow ? [] : [[other, changed(before)]]
      })
    }
  }

  quote(book: OrderBook, number: number): void {
    const { venueBid, venueAsk } = book
    if (book.trust !== 'established' || Number.isNaN(venueBid) || Number.isNaN(venueAsk)) return
    const progress = this.#book(number)
    book.readTop(this.#top)
    progress.bestPricesChecked++
    if (this.#top.bid === venueBid && this.#top.ask === venueAsk) progress.bestPricesAgreed++
  }

  gap(_book: OrderBook, number: number): void {
    this.#close(number)
  }

  marketGap(): void {}

  #book(number: number): Progress {
    return this.#books[number - 1]!
  }

  // A number that steps back is of a new connection, which numbers every subscription anew.
  #noteSeq(sid: number, seq: number, timeMs: number): void {
    if (sid < 0 || seq < 0) return
    if (sid !== this.#sid) {
      this.#keepSeq()
      this.#sid = sid
      this.#seq = this.#seqs.get(sid) ?? 0
    }
    if (seq < this.#seq) {
      this.#seqs.clear()
      for (const progress of this.#books) {
        progress.restartFromMs ??= progress.lastMs < 0 ? timeMs : progress.lastMs
      }
    }
    this.#seq = seq
  }

  #keepSeq(): void {
    if (this.#sid >= 0) this.#seqs.set(this.#sid, this.#seq)
  }

  #close(number: number): void {
    const progress = this.#book(number)
    const { open } = progress
    progress.open = null
    if (open === null) return
    const { restartFromMs, toMs, isEmpty, differing } = open
    const levels = differing?.length ?? null
    if (restartFromMs !== null) this.#addGap(number, 'sequence_restart', restartFromMs, toMs, levels)
    if (levels === null) return
    if (isEmpty && levels > 1) {
      const { fromMs, deltas } = open
      // Something filled the book after an empty snapshot before this one.
      if (progress.empty !== null) this.#contradict(number, progress.empty, progress.empty.levels)
      progress.empty = { fromMs, restartFromMs, deltas, toMs, levels, fullSnapshots: progress.fullSnapshots }
    } else if (!isEmpty && levels > 1) this.#contradict(number, open, levels)
    else if (!isEmpty) progress.snapshotsConfirmed++
  }

  #contradict(number: number, { fromMs, restartFromMs, toMs }: Before & { toMs: number }, levels: number): void {
    this.#book(number).snapshotsContradicted++
    if (restartFromMs === null) this.#addGap(number, 'snapshot_contradicts', fromMs, toMs, levels)
  }

  #end(number: number): void {
    this.#close(number)
    const progress = this.#book(number)
    const { empty } = progress
    const goesOn = empty !== null && (progress.deltas > empty.deltas || progress.fullSnapshots > empty.fullSnapshots)
    if (goesOn) this.#contradict(number, empty, empty.levels)
    if (progress.restartFromMs !== null) {
      this.#addGap(number, 'sequence_restart', progress.restartFromMs, null, null)
    }
  }

  #addGap(
    book: number,
    reason: InferredGap['reason'],
    fromMs: number,
    toMs: number | null,
    levelsDiffering: number | null,
  ): void {
    this.gaps.push({ book, reason, fromMs, toMs, levelsDiffering })
  }
}

/** Of a book without records. */
export const NO_QUALITY: Readonly<RecordQuality> = {
  snapshotsConfirmed: 0,
  snapshotsContradicted: 0,
  longestSilenceMs: 0,
  bestPricesAgreed: 0,
  bestPricesChecked: 0,
}

const newProgress = (): Progress => ({
  ...NO_QUALITY,
  lastMs: -1,
  deltas: 0,
  fullSnapshots: 0,
  restartFromMs: null,
  open: null,
  empty: null,
})

const countsOf = (progress: Progress): RecordQuality => ({
  snapshotsConfirmed: progress.snapshotsConfirmed,
  snapshotsContradicted: progress.snapshotsContradicted,
  longestSilenceMs: progress.longestSilenceMs,
  bestPricesAgreed: progress.bestPricesAgreed,
  bestPricesChecked: progress.bestPricesChecked,
})

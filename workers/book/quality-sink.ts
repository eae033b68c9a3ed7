// What was lost without saying so, and what the venue confirmed, while a partition is replayed (docs/books.md). It
// changes no book. Its state between two blocks is plain and small, so that a later append goes on from it.

import type { BookColumns } from './book-columns.ts'
import { ASK, BID } from './ladder.ts'
import { NO_TOP, type OrderBook } from './order-book.ts'
import { levelKey, type QuoteSink } from './replay.ts'

/** Of each record of a block: the venue's time in microseconds (NaN without one), `sid` and `seq` (-1 without). */
export type RecordOrigins = { venueUs: ArrayLike<number>; sids: ArrayLike<number>; seqs: ArrayLike<number> }

/** `book` is a book number. `toMs` is null where no snapshot of the book followed, `levelsDiffering` where the book was
 *  not established before. */
export type InferredGap = {
  book: number
  reason: 'sequence_restart' | 'snapshot_contradicts'
  fromMs: number
  toMs: number | null
  levelsDiffering: number | null
}

export type BookQuality = {
  snapshotsConfirmed: number
  snapshotsContradicted: number
  longestSilenceMs: number
  bestPricesAgreed: number
  bestPricesChecked: number
}

/** What stood before a snapshot: the time of the record before it, and where a new connection began, or null. */
type Before = { fromMs: number; restartFromMs: number | null; deltas: number }

/** A snapshot that is still compared: changes of its own venue time may follow. `differing` are the levels in which it
 *  differs from the book before; null where that was not established. */
type OpenSnapshot = Before & { toMs: number; venueUs: number; isEmpty: boolean; differing: number[] | null }

/** An empty snapshot of a book that was not: the market's close, unless the book goes on. */
type EmptySnapshot = Before & { toMs: number; levels: number; fullSnapshots: number }

type Progress = BookQuality & {
  lastMs: number
  deltas: number
  fullSnapshots: number
  restartFromMs: number | null
  open: OpenSnapshot | null
  empties: EmptySnapshot[]
}

/** `books` are by number - 1. */
export type QualityState = {
  gaps: InferredGap[]
  books: Progress[]
  seqs: [sid: number, seq: number][]
  lastMs: number
}

export class QualitySink implements QuoteSink {
  readonly #state: QualityState
  readonly #seqs: Map<number, number>
  #columns: BookColumns | undefined
  #venueUs: ArrayLike<number> = []
  /** By record, what stands before each snapshot of the block. */
  #before = new Map<number, Before>()
  #levelsBefore = new Map<number, number>()
  readonly #top = { ...NO_TOP }

  constructor(state: QualityState = { gaps: [], books: [], seqs: [], lastMs: -1 }) {
    this.#state = structuredClone(state)
    this.#seqs = new Map(state.seqs)
  }

  state(): QualityState {
    return structuredClone({ ...this.#state, seqs: [...this.#seqs] })
  }

  /** As if nothing followed; books by number - 1. */
  quality(): { gaps: InferredGap[]; books: BookQuality[] } {
    const ended = new QualitySink(this.state())
    const { gaps, books } = ended.#state
    books.forEach((_, i) => {
      ended.#end(i + 1)
    })
    gaps.sort((a, b) => a.fromMs - b.fromMs || a.book - b.book)
    return {
      gaps,
      books: books.map(
        ({ lastMs: _, deltas: _d, fullSnapshots: _f, restartFromMs: _r, open: _o, empties: _e, ...of }) => of,
      ),
    }
  }

  /** To be called before a block is replayed. */
  begin(columns: BookColumns, { venueUs, sids, seqs }: RecordOrigins): void {
    const { recordCount, timesMs, operations, books, shapes, bookIds } = columns
    this.#columns = columns
    this.#venueUs = venueUs
    this.#before.clear()
    while (this.#state.books.length < bookIds.length) this.#state.books.push(newProgress())
    for (let record = 0; record < recordCount; record++) {
      const timeMs = timesMs[record]!
      const number = books[record]!
      const { kind } = shapes[operations[record]! >>> 1]!
      const touched = number > 0 ? [this.#book(number)] : kind === 'gap' ? this.#state.books : []
      this.#noteSeq(sids[record]!, seqs[record]!, timeMs)
      this.#state.lastMs = timeMs
      for (const progress of touched) {
        const fromMs = progress.lastMs < 0 ? timeMs : progress.lastMs
        progress.longestSilenceMs = Math.max(progress.longestSilenceMs, timeMs - fromMs)
        progress.lastMs = timeMs
        const { restartFromMs, deltas } = progress
        if (kind === 'delta') progress.deltas++
        if (kind === 'snapshot') this.#before.set(record, { fromMs, restartFromMs, deltas })
        if (kind === 'snapshot' || kind === 'gap') progress.restartFromMs = null
      }
    }
  }

  snapshot(book: OrderBook): void {
    this.#levelsBefore = levelsOf(book)
  }

  snapshotApplied(book: OrderBook, number: number, record: number, wasTrusted: OrderBook['trust']): void {
    this.#close(number)
    const before = this.#before.get(record)!
    const [toMs, venueUs] = [this.#columns!.timesMs[record]!, this.#venueUs[record]!]
    const levels = levelsOf(book)
    const isEmpty = levels.size === 0
    const progress = this.#book(number)
    const restartFromMs = wasTrusted === 'lost' ? null : before.restartFromMs
    const differing = wasTrusted === 'established' ? difference(this.#levelsBefore, levels) : null
    progress.open = { ...before, restartFromMs, toMs, venueUs, isEmpty, differing }
    if (!isEmpty) progress.fullSnapshots++
  }

  /** Levels that are compared no more once a record sets them; undefined where none are compared. */
  comparedLevels(number: number, record: number): ((level: number) => void) | undefined {
    const { open } = this.#book(number)
    if (open === null) return undefined
    if (open.venueUs !== this.#venueUs[record]) {
      this.#close(number)
      return undefined
    }
    return (level) => {
      open.differing = open.differing?.filter((other) => other !== level) ?? null
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
    return this.#state.books[number - 1]!
  }

  // A number that steps back is of a new connection, which numbers every subscription anew.
  #noteSeq(sid: number, seq: number, timeMs: number): void {
    if (sid < 0 || seq < 0) return
    if (seq < (this.#seqs.get(sid) ?? 0)) {
      this.#seqs.clear()
      for (const progress of this.#state.books) {
        progress.restartFromMs ??= progress.lastMs < 0 ? timeMs : progress.lastMs
      }
    }
    this.#seqs.set(sid, seq)
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
      progress.empties.push({ fromMs, restartFromMs, deltas, toMs, levels, fullSnapshots: progress.fullSnapshots })
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
    for (const empty of progress.empties) {
      const goesOn = progress.deltas > empty.deltas || progress.fullSnapshots > empty.fullSnapshots
      if (goesOn) this.#contradict(number, empty, empty.levels)
    }
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
    this.#state.gaps.push({ book, reason, fromMs, toMs, levelsDiffering })
  }
}

const newProgress = (): Progress => ({
  snapshotsConfirmed: 0,
  snapshotsContradicted: 0,
  longestSilenceMs: 0,
  bestPricesAgreed: 0,
  bestPricesChecked: 0,
  lastMs: -1,
  deltas: 0,
  fullSnapshots: 0,
  restartFromMs: null,
  open: null,
  empties: [],
})

function levelsOf(book: OrderBook): Map<number, number> {
  const levels = new Map<number, number>()
  for (const side of [BID, ASK] as const) {
    for (const [height, size] of book.levels(side)) levels.set(levelKey(side, height), size)
  }
  return levels
}

function difference(one: Map<number, number>, other: Map<number, number>): number[] {
  const levels = new Set([...one.keys(), ...other.keys()])
  return [...levels].filter((level) => one.get(level) !== other.get(level))
}

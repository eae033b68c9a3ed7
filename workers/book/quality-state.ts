// What the quality of a partition's books is made from between two blocks: plain and small, so that a later append goes
// on from it.

import { isOfTwo, isRecorded, type PartitionHead, type RecordQuality } from '../../storage/format/partition-head.ts'
import type { Venue } from '../../storage/venue.ts'
import type { Evidence } from './evidence.ts'
import type { DifferingLevel } from './level-difference.ts'

/** Of each record of a block: `sid` and `seq` (-1 without; undefined where no record has them), and the venue's time
 *  in microseconds, NaN without one. */
export type RecordOrigins = {
  sequences(): { sids: ArrayLike<number>; seqs: ArrayLike<number> } | undefined
  venueUs(record: number): number
}

/** What stood before a snapshot: the time of the record before it, and why the book was doubtful, or null. */
export type Before = { fromMs: number; evidence: Evidence | null; deltas: number }

/** A snapshot that is still compared: changes of its own venue time may follow. `differing` are the levels in which it
 *  differs from the book before, and their sizes in that book; null where it was not established. */
export type OpenSnapshot = Before & {
  toMs: number
  venueUs: number
  isEmpty: boolean
  differing: DifferingLevel[] | null
}

/** An empty snapshot of a book that was not: the market's close, unless the book goes on. */
type EmptySnapshot = Before & { toMs: number; levels: number; fullSnapshots: number }

export type Progress = RecordQuality & {
  lastMs: number
  deltas: number
  fullSnapshots: number
  /** As the numbers of its records tell; with what the book tells, once a block is over. */
  evidence: Evidence | null
  open: OpenSnapshot | null
  empty: EmptySnapshot | null
  /** As in `BeforeBlock`. */
  quoteFromMs: number
  /** As `quoteFromMs`, of a quote without the best prices that the venue states, if none after it has them; else -1. */
  missFromMs: number
}

/** `isRecorded`: the numbers are those of a recorder's connections, which overlap. `isMatched`: the venue matches bids that
 *  reach asks. `holesMs`: times of the last records before holes in the numbers, ascending. `sinceMs`: when another
 *  source was shown from on; left out while the day has one source. */
export type DayOrigin = { isRecorded: boolean; isMatched: boolean; holesMs?: number[]; sinceMs?: number }

export const dayOrigin = (
  venue: Venue,
  { heard, sequenceHoles = [] }: Pick<PartitionHead, 'heard' | 'sequenceHoles'>,
): DayOrigin => ({
  isRecorded: isRecorded(heard),
  isMatched: venue === 'kalshi',
  // Where two recorders number, a jump of one is heard by the other.
  holesMs: isOfTwo(heard) ? [] : [...new Set(sequenceHoles.map(({ fromMs }) => fromMs))],
})

/** `books` are by number - 1, `gapCount` the inferred gaps so far. */
export type QualityState = Partial<DayOrigin> & {
  gapCount: number
  books: ProgressRow[]
  seqs: [sid: number, seq: number][]
}

export const newState = ({ isRecorded, isMatched, holesMs = [], sinceMs }: DayOrigin): QualityState => ({
  ...{ gapCount: 0, books: [], seqs: [] },
  ...(isRecorded && { isRecorded }),
  ...(isMatched && { isMatched }),
  ...(holesMs.length > 0 && { holesMs }),
  ...(sinceMs !== undefined && { sinceMs }),
})

/** Values of a progress without their names, which would be most of it. */
type ProgressRow = [counts: number[], evidence: Evidence | null, open: OpenSnapshot | null, empty: EmptySnapshot | null]
const COUNTS = [
  ...(['snapshotsConfirmed', 'snapshotsContradicted', 'longestSilenceMs', 'bestPricesAgreed'] as const),
  ...(['bestPricesChecked', 'lastMs', 'deltas', 'fullSnapshots', 'quoteFromMs', 'missFromMs'] as const),
] as const

export const toRow = (progress: Progress): ProgressRow => {
  const { evidence, open, empty } = progress
  return [COUNTS.map((name) => progress[name]), evidence, open, empty]
}

export function fromRow([counts, evidence, open, empty]: ProgressRow): Progress {
  const progress: Progress = { ...newProgress(), evidence, open, empty }
  COUNTS.forEach((name, i) => {
    progress[name] = counts[i]!
  })
  return progress
}

/** Of a book without records. */
export const NO_QUALITY: Readonly<RecordQuality> = {
  snapshotsConfirmed: 0,
  snapshotsContradicted: 0,
  longestSilenceMs: 0,
  bestPricesAgreed: 0,
  bestPricesChecked: 0,
}

export const newProgress = (lastMs = -1): Progress => ({
  ...NO_QUALITY,
  lastMs,
  deltas: 0,
  fullSnapshots: 0,
  evidence: null,
  quoteFromMs: lastMs,
  missFromMs: -1,
  open: null,
  empty: null,
})

/** As another source is shown from an instant on; `isShown`: it has the book. What is pending has ended there. */
export function switchedProgress(before: Progress, atMs: number, isShown: boolean): Progress {
  const counts = countsOf(before)
  if (before.lastMs >= 0) counts.longestSilenceMs = Math.max(counts.longestSilenceMs, atMs - before.lastMs)
  return { ...newProgress(isShown ? atMs : -1), ...counts }
}

/** The time of the book's last record; of the first one its own, `timeMs`. */
export const lastOf = ({ lastMs }: Progress, timeMs: number): number => (lastMs < 0 ? timeMs : lastMs)

export const countsOf = (progress: Progress): RecordQuality => ({
  snapshotsConfirmed: progress.snapshotsConfirmed,
  snapshotsContradicted: progress.snapshotsContradicted,
  longestSilenceMs: progress.longestSilenceMs,
  bestPricesAgreed: progress.bestPricesAgreed,
  bestPricesChecked: progress.bestPricesChecked,
})

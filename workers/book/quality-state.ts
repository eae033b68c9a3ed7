// The state between two blocks from which the quality of a partition's books is computed: plain and small, so a later
// append can continue from it.

import { isOfTwo, isRecorded, type PartitionHead, type RecordQuality } from '../../storage/format/partition-head.ts'
import type { Venue } from '../../storage/venue.ts'
import { type Unbroken, unbrokenTimesOf } from '../book-times/book-times.ts'
import { MEANINGS } from '../venues.ts'
import type { Evidence } from './evidence.ts'
import type { DifferingLevel } from './level-difference.ts'

/** `sequences` returns the `sid` and `seq` of each record of a block: -1 for a record that has none. It returns
 *  undefined if no record has any. `venueUs` returns the venue's time in microseconds; NaN if there is none. */
export type RecordOrigins = {
  sequences(): { sids: ArrayLike<number>; seqs: ArrayLike<number> } | undefined
  venueUs(record: number): number
}

/** State before a snapshot. `fromMs` is the time of the record before the snapshot. `evidence` is why the book was
 *  doubtful; null if it was not. `deltas` is the number of deltas so far. */
export type BeforeSnapshot = { fromMs: number; evidence: Evidence | null; deltas: number }

/** A snapshot that is still compared with the book before it, because changes of the same venue time may follow.
 *  `differing` are the levels in which the snapshot differs from the book, with their sizes before the snapshot; null
 *  if the book was not whole. */
export type OpenSnapshot = BeforeSnapshot & {
  toMs: number
  venueUs: number
  isEmpty: boolean
  differing: DifferingLevel[] | null
}

/** An empty snapshot of a book that had levels. It means that the market closed, unless the book continues. */
type EmptySnapshot = BeforeSnapshot & { toMs: number; levels: number; fullSnapshots: number }

export type Progress = RecordQuality & {
  lastMs: number
  deltas: number
  fullSnapshots: number
  /** Evidence from the sequence numbers of the book's records. After a block, also evidence from the content of the
   *  book. */
  evidence: Evidence | null
  open: OpenSnapshot | null
  empty: EmptySnapshot | null
  /** See `BeforeBlock`. */
  quoteFromMs: number
  /** Time of the record before the first quote whose best prices differ from the venue's. -1 if no quote differs
   *  since they last agreed. */
  missFromMs: number
}

/** `isRecorded`: the sequence numbers are those of a recorder's connections, which overlap. `isMatched`: the venue
 *  matches bids that reach asks. `holesMs`: times of the last records before holes in the numbers, ascending.
 *  `sinceMs`: time of the last switch to another source; undefined while the day has one source. */
export type DayOrigin = {
  isRecorded: boolean
  isMatched: boolean
  holesMs?: number[]
  sinceMs?: number
  /** Times during which a capture of the date received all changes of its book. Sequence numbers that step back in
   *  these times show no loss. Later captures can add to these times, so a state does not store them. */
  unbroken?: readonly Unbroken[]
}

export const dayOrigin = (
  venue: Venue,
  { heard, sequenceHoles = [] }: Pick<PartitionHead, 'heard' | 'sequenceHoles'>,
): DayOrigin => ({
  isRecorded: isRecorded(heard),
  unbroken: unbrokenTimesOf(heard),
  isMatched: MEANINGS[venue].isMatched,
  // With two recorders, a sequence hole of one is no loss, because the other one receives the missing messages.
  holesMs: isOfTwo(heard) ? [] : [...new Set(sequenceHoles.map(({ fromMs }) => fromMs))],
})

/** `books` is indexed by book number - 1. `gapCount` is the number of inferred gaps so far. */
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

/** The values of a `Progress` without their names, because the names would take most of the bytes. */
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

/** Quality of a book without records. */
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

/** Returns a book's progress after a switch to another source. The caller has already ended everything that was
 *  pending. `isShown` says whether that source has the book. */
export function switchedProgress(before: Progress, atMs: number, isShown: boolean): Progress {
  const counts = countsOf(before)
  if (before.lastMs >= 0) counts.longestSilenceMs = Math.max(counts.longestSilenceMs, atMs - before.lastMs)
  return { ...newProgress(isShown ? atMs : -1), ...counts }
}

/** Returns the first sequence hole after the book's last record, and before `beforeMs`. */
export const holeBehind = (
  { holesMs, sinceMs = -1 }: DayOrigin,
  { lastMs }: Progress,
  beforeMs = Number.POSITIVE_INFINITY,
): number | undefined => holesMs?.find((holeMs) => holeMs >= lastMs && holeMs >= sinceMs && holeMs < beforeMs)

/** Returns the time of the book's last record; `timeMs` if the book has no record yet. */
export const lastOf = ({ lastMs }: Progress, timeMs: number): number => (lastMs < 0 ? timeMs : lastMs)

export const countsOf = (progress: Progress): RecordQuality => ({
  snapshotsConfirmed: progress.snapshotsConfirmed,
  snapshotsContradicted: progress.snapshotsContradicted,
  longestSilenceMs: progress.longestSilenceMs,
  bestPricesAgreed: progress.bestPricesAgreed,
  bestPricesChecked: progress.bestPricesChecked,
})

// How far a book can be believed, and what each kind of evidence makes of that: the one table of transitions for
// loading, live loading, replay, verify, imports and the recorder (docs/books.md). Pure.

import type { NotedTrust } from '../../storage/format/partition-head.ts'

/** `doubtful`: known, but within an inferred gap. `unknown`: no record yet. */
export type Trust = NotedTrust

const [U, O, E, D, L] = ['unknown', 'observed', 'established', 'doubtful', 'lost'] as const

/** What a book is after this evidence, by what it was before. */
export const AFTER = {
  snapshot: { unknown: E, observed: E, established: E, doubtful: E, lost: E },
  /** Any other record of the book: its levels are known as they are seen. */
  record: { unknown: O, observed: O, established: E, doubtful: D, lost: L },
  /** The venue's hash agrees with the whole book, which a lost one is not. */
  agreeingHash: { unknown: E, observed: E, established: E, doubtful: E, lost: L },
  /** A gap record that no other recorder covers. */
  gap: { unknown: L, observed: L, established: L, doubtful: L, lost: L },
  /** Numbers step back or skip some, or a level cannot be read: an inferred gap of every book that is known. */
  missing: { unknown: U, observed: D, established: D, doubtful: D, lost: L },
  /** Its own records or the venue's say that it is wrong: an inferred gap of a book that was whole. */
  contradiction: { unknown: U, observed: O, established: D, doubtful: D, lost: L },
  /** The date before closed with it so: the next date goes on from there. */
  openingBook: { unknown: U, observed: O, established: E, doubtful: D, lost: L },
  /** As `openingBook`, of an older date: days without data are between. */
  olderOpeningBook: { unknown: U, observed: O, established: D, doubtful: D, lost: L },
} as const satisfies Record<string, Record<Trust, Trust>>

/** Whether an inferred gap can be one of such a book. */
export const isKnown = (trust: Trust): boolean => AFTER.missing[trust] === 'doubtful'

/** Whether something can contradict such a book. */
export const isWhole = (trust: Trust): boolean => AFTER.contradiction[trust] === 'doubtful'

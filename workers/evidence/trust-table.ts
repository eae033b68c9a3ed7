// How far a book can be trusted, and what each kind of evidence changes: the one table of transitions for loading, live
// loading, replay, verify, imports and the recorder (docs/books.md). Pure.

import type { NotedTrust } from '../../storage/format/partition-head.ts'

/** `doubtful`: known, but within an inferred gap. `unknown`: without a record so far. */
export type Trust = NotedTrust

const [U, O, E, D, L] = ['unknown', 'observed', 'established', 'doubtful', 'lost'] as const

/** The trust after each kind of evidence, by the trust before. */
export const AFTER = {
  snapshot: { unknown: E, observed: E, established: E, doubtful: E, lost: E },
  /** Any other record of the book: levels become known as records show them. */
  record: { unknown: O, observed: O, established: E, doubtful: D, lost: L },
  /** The venue's hash matches the whole book. A lost book has nothing to match. */
  agreeingHash: { unknown: E, observed: E, established: E, doubtful: E, lost: L },
  /** A gap record that no other recorder covers. */
  gap: { unknown: L, observed: L, established: L, doubtful: L, lost: L },
  /** Sequence numbers go back or skip some, or a level is unreadable: an inferred gap of every known book. */
  missing: { unknown: U, observed: D, established: D, doubtful: D, lost: L },
  /** The book's own records or the venue contradict the book: an inferred gap if the book was whole. */
  contradiction: { unknown: U, observed: O, established: D, doubtful: D, lost: L },
  /** The date before closed with this trust, and the next date continues from it. */
  openingBook: { unknown: U, observed: O, established: E, doubtful: D, lost: L },
  /** Like `openingBook`, from an older date: there are days without data in between. */
  olderOpeningBook: { unknown: U, observed: O, established: D, doubtful: D, lost: L },
} as const satisfies Record<string, Record<Trust, Trust>>

/** Whether a book with this trust can have an inferred gap. */
export const isKnown = (trust: Trust): boolean => AFTER.missing[trust] === 'doubtful'

/** Whether a contradiction makes a book with this trust doubtful. Only a book that is known as a whole can be
 *  contradicted. */
export const isWhole = (trust: Trust): boolean => AFTER.contradiction[trust] === 'doubtful'

// Decodes the closing books of a stored day for the date that continues them. Their last quotes are complete.

import { isDayAfter } from '../../storage/units.ts'
import { decodeState, type NamedBook } from '../book/book-state.ts'
import { isProven, prove } from '../evidence/proofs.ts'
import { AFTER } from '../evidence/trust-table.ts'
import type { Progress } from './opening-books.ts'
import { PartitionReplay } from './partition-replay.ts'

/** `isDoubtful` returns whether a later date continues a book as doubtful. It does if the book closed doubtful, or if
 *  the book was established and there are days without data in between. */
export type ClosedBooks = { books: NamedBook[]; isDoubtful(id: string, date: string): boolean }

/** Decodes closing books. `closing` is null if nothing is stored before. It may also be the opening books of a day
 *  (`isOpening`): these have no evidence besides their trust. Throws DataError('block_corrupt'). */
export function closedBooks(closing: Uint8Array | null): ClosedBooks & { isOpening: boolean } {
  if (closing === null) return { books: [], isDoubtful: () => false, isOpening: false }
  const state = decodeState(closing)
  const { books, progress } = state
  if (progress === null) return { books, isDoubtful: () => false, isOpening: true }
  const { books: entries, inferredGaps } = PartitionReplay.from(state).closing()
  const { date, switched } = progress as Progress
  const byId = new Map(books.map(({ id, book }) => [id, book]))
  const doubtful = new Set(inferredGaps.filter(({ toMs }) => toMs === null).map(({ book }) => entries[book - 1]!.id))
  for (const entry of entries) {
    if (entry.trust?.at(-1)?.[1] === 'doubtful') doubtful.add(entry.id)
    if (isProven(entry, switched?.record ?? 0)) prove(byId.get(entry.id))
  }
  const isDoubtful = (id: string, laterDate: string) => {
    const trust = byId.get(id)?.trust ?? 'unknown'
    const closed = doubtful.has(id) ? AFTER.missing[trust] : trust
    return AFTER[isDayAfter(date, laterDate) ? 'openingBook' : 'olderOpeningBook'][closed] === 'doubtful'
  }
  return { books, isDoubtful, isOpening: false }
}

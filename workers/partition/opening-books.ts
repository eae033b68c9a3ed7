// The opening books of a day: of the books that the day before it closes with those that the day continues. Its first
// record of them is no snapshot, or there is none.

import type { CarriedBooks, PartitionBooks } from '../../storage/block-store.ts'
import type { BookEntry } from '../../storage/format/partition-head.ts'
import { decodeBooks, encodeBooks } from '../book/book-state.ts'

export const startsFromSnapshot = ({ startsFrom }: Pick<BookEntry, 'startsFrom'>): boolean => startsFrom === 'snapshot'

/** `entries` are the books of the day; null where it continues none. */
export function openingBooks(
  closingBefore: Uint8Array | null,
  entries: readonly Pick<BookEntry, 'id' | 'startsFrom'>[],
): Uint8Array | null {
  if (closingBefore === null) return null
  const replaced = new Set(entries.filter(startsFromSnapshot).map(({ id }) => id))
  const opening = decodeBooks(closingBefore).filter(({ id }) => !replaced.has(id))
  for (const { book } of opening) book.openQuoteMs = -1
  return opening.length === 0 ? null : encodeBooks(opening)
}

/** The books that a day brought which was copied without the day before it, while it starts from them: until that day
 *  or a later one is stored before it. `dateBefore` is the last stored day before it, if there is one. */
export function carriedInto(
  books: PartitionBooks | undefined,
  dateBefore: string | undefined,
): CarriedBooks | undefined {
  const { carried } = books ?? {}
  return carried !== undefined && (dateBefore === undefined || dateBefore < carried.date) ? carried : undefined
}

// The opening books of a day: the closing books of the day before, except the books whose first record of the day is
// a snapshot.

import type { CarriedBooks, PartitionBooks } from '../../storage/block-store.ts'
import type { BookEntry, TradeTotals } from '../../storage/format/partition-head.ts'
import { encodeBooks, type NamedBook } from '../book/book-state.ts'
import type { HashState } from '../book/hash-sink.ts'
import type { QualityState } from '../book/quality-state.ts'
import type { BookCounts } from '../trust/book-evidence.ts'

/** The progress of a day, stored with the books of a state. The books without a record of the day come last. */
export type Progress = {
  entries: BookCounts[]
  clockUs: number[]
  gapCount: number
  /** Whether the day has had a gap of the whole market so far. */
  hasMarketGap: boolean
  quality: QualityState
  hashes: HashState
  /** The date of the day. */
  date: string
  /** Totals of the trades that belong to no book; undefined if there are none. */
  bookless?: TradeTotals
  /** Time of the last switch to another source, Unix ms, and the number of that source's first record; undefined if
   *  there was no switch. */
  switched?: { atMs: number; record: number }
  /** Ids of books whose records of the day do not change them; undefined if there are no such books. */
  unchanged?: string[]
}

export const startsFromSnapshot = ({ startsFrom }: Pick<BookEntry, 'startsFrom'>): boolean => startsFrom === 'snapshot'

/** Returns the opening books; null if the day continues no book. `earlier` are the closing books of the day before;
 *  `entries` are the head's entries of the day's books. */
export function openingBooks(
  earlier: readonly NamedBook[],
  entries: readonly Pick<BookEntry, 'id' | 'startsFrom'>[],
): Uint8Array | null {
  const replaced = new Set(entries.filter(startsFromSnapshot).map(({ id }) => id))
  const opening = earlier.filter(({ id }) => !replaced.has(id))
  for (const { book } of opening) book.openQuoteMs = -1
  return opening.length === 0 ? null : encodeBooks(opening)
}

/** Returns the books that a day carries because it was copied without the days before it; undefined if there are
 *  none, or if the store now has a day from `carried.date` on. `dateBefore` is the last stored day before this day,
 *  if any. */
export function carriedInto(
  books: PartitionBooks | undefined,
  dateBefore: string | undefined,
): CarriedBooks | undefined {
  const { carried } = books ?? {}
  return carried !== undefined && (dateBefore === undefined || dateBefore < carried.date) ? carried : undefined
}

export const newEntry = (id: string): BookCounts => ({
  id,
  recordCount: 0,
  tradeCount: 0,
  tradeVolume: '0',
  quoteCount: 0,
  firstQuoteMs: null,
  lastQuoteMs: null,
  startsFrom: 'neither',
  snapshotCount: 0,
  opening: null,
  last: null,
})

/** Returns the entry of a book that an earlier day closed with. */
export function carriedEntry({ id, book, mark }: NamedBook, isDoubtful: boolean): BookCounts {
  const entry: BookCounts = { ...newEntry(id), opening: book.top() }
  if (book.trust === 'established') entry.startsFrom = 'opening_book'
  if (isDoubtful) entry.trust = [[0, 'doubtful']]
  else if (book.trust !== 'established' && mark.change !== null) entry.trust = [[0, book.trust]]
  return entry
}

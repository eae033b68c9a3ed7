// The opening books of a day: of the books that the day before it closes with those that the day continues. Its first
// record of them is no snapshot, or there is none.

import type { CarriedBooks, PartitionBooks } from '../../storage/block-store.ts'
import type { BookEntry, TradeTotals } from '../../storage/format/partition-head.ts'
import { encodeBooks, type NamedBook } from '../book/book-state.ts'
import type { HashState } from '../book/hash-sink.ts'
import type { QualityState } from '../book/quality-state.ts'
import type { BookCounts } from '../trust/book-evidence.ts'

/** Kept with the books of a state. Books without a record of the day come after those with one. */
export type Progress = {
  entries: BookCounts[]
  clockUs: number[]
  gapCount: number
  /** Whether the day has a gap of the whole market so far. */
  hasMarketGap: boolean
  quality: QualityState
  hashes: HashState
  /** Of the day. */
  date: string
  /** Left out where there are none. */
  bookless?: TradeTotals
  /** When another source was shown from on, Unix ms, and the place of its first record; left out without one. */
  switched?: { atMs: number; record: number }
  /** Ids of books with records of the day, but none that changes them; left out where there are none. */
  unchanged?: string[]
}

export const startsFromSnapshot = ({ startsFrom }: Pick<BookEntry, 'startsFrom'>): boolean => startsFrom === 'snapshot'

/** `earlier` are the books that the day before closes with, `entries` those of the day; null where it continues none. */
export function openingBooks(
  earlier: readonly NamedBook[],
  entries: readonly Pick<BookEntry, 'id' | 'startsFrom'>[],
): Uint8Array | null {
  const replaced = new Set(entries.filter(startsFromSnapshot).map(({ id }) => id))
  const opening = earlier.filter(({ id }) => !replaced.has(id))
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

/** Of a book as an earlier day closed with it. */
export function carriedEntry({ id, book, mark }: NamedBook, isDoubtful: boolean): BookCounts {
  const entry: BookCounts = { ...newEntry(id), opening: book.top() }
  if (book.trust === 'established') entry.startsFrom = 'opening_book'
  if (isDoubtful) entry.trust = [[0, 'doubtful']]
  else if (book.trust !== 'established' && mark.change !== null) entry.trust = [[0, book.trust]]
  return entry
}

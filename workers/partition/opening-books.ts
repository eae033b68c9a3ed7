// The opening books of a day: of the books that the day before it closes with those that the day continues. Its first
// record of them is no snapshot, or there is none.

import type { CarriedBooks, PartitionBooks } from '../../storage/block-store.ts'
import type { BookEntry } from '../../storage/format/partition-head.ts'
import { decodeBooks, encodeBooks, type NamedBook } from '../book/book-state.ts'
import { NO_PRICE, type OrderBook, type Top } from '../book/order-book.ts'
import { noteTrust } from '../trust/trust-changes.ts'

/** What the head says of a book, but for its quality. */
export type BookCounts = Omit<BookEntry, 'quality'>

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
export function carriedEntry({ id, book, mark }: NamedBook): BookCounts {
  const entry: BookCounts = { ...newEntry(id), opening: topOf(book) }
  if (book.trust === 'established') entry.startsFrom = 'opening_book'
  else if (mark.change !== null) noteTrust(entry, 0, book.trust)
  return entry
}

export function topOf(book: OrderBook): Top {
  const top: Top = { bid: NO_PRICE, bidSize: 0, ask: NO_PRICE, askSize: 0 }
  book.readTop(top)
  return top
}

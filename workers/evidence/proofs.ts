// Where hashes of the venue establish books that were only observed, as the head keeps it: a replay of stored records
// checks no hash. Pure.

import type { BookEntry, BookTrust } from '../../storage/format/partition-head.ts'
import { AFTER } from './trust-table.ts'

/** The book with this number is established after this record, counted from the first of a block, or before it. */
export type Proof = { number: number; record: number }

type Proven = Pick<BookEntry, 'provenAt'>

/** Ascending; `firstRecord` is the place of the block's first record in the day, `spanStart` that of the first record
 *  which the books go on from. Before a day there is none of it. */
export function proofsFrom(books: readonly Proven[], firstRecord: number, spanStart: number): Proof[] {
  const proofs = books.flatMap((book, i): Proof[] =>
    placesIn(book)
      .filter((place) => place >= spanStart)
      .map((place) => ({ number: i + 1, record: place - firstRecord })),
  )
  return proofs.sort((one, other) => one.record - other.record)
}

/** Whether a hash establishes the book by one of the records [from, to). */
export const isProven = (book: Proven | undefined, from: number, to = Number.POSITIVE_INFINITY): boolean =>
  placesIn(book).some((place) => place >= from && place < to)

export function addProof(book: Proven, place: number): void {
  book.provenAt = book.provenAt === undefined ? place : [...placesIn(book), place]
}

const placesIn = ({ provenAt }: Proven = {}): number[] =>
  provenAt === undefined ? [] : typeof provenAt === 'number' ? [provenAt] : provenAt

export function prove(book: { trust: BookTrust } | undefined): void {
  if (book !== undefined) book.trust = AFTER.agreeingHash[book.trust]
}

// Reads and adds the places in a head where hashes of the venue establish observed books. A replay of stored records
// needs these places, because it checks no hash. Pure.

import type { BookEntry, BookTrust } from '../../storage/format/partition-head.ts'
import { AFTER } from './trust-table.ts'

/** A hash confirms book `number` after record `record` of a block. A negative `record` is before the block. */
export type Proof = { number: number; record: number }

type Proven = Pick<BookEntry, 'provenAt'>

/** Returns the proofs for a block, ascending. `firstRecord` is the place of the block's first record in the day.
 *  `spanStart` is the place of the first record of the block's span: earlier proofs do not count. */
export function proofsFrom(books: readonly Proven[], firstRecord: number, spanStart: number): Proof[] {
  const proofs = books.flatMap((book, i): Proof[] =>
    placesIn(book)
      .filter((place) => place >= spanStart)
      .map((place) => ({ number: i + 1, record: place - firstRecord })),
  )
  return proofs.sort((one, other) => one.record - other.record)
}

/** Returns whether a hash establishes the book at one of the records [from, to). */
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

// Where hashes of the venue establish books that were only observed, as the head keeps it: a replay of stored records
// checks no hash. Pure.

import type { BookEntry, BookTrust } from '../../storage/format/partition-head.ts'

/** The book with this number is established after this record, counted from the first of a block, or before it. */
export type Proof = { number: number; record: number }

/** Ascending; `firstRecord` is the place of the block's first record in the day. Before a day there is none of it. */
export function proofsFrom(books: readonly Pick<BookEntry, 'provenAt'>[], firstRecord: number): Proof[] {
  const proofs = books.flatMap(({ provenAt }, i): Proof[] =>
    provenAt === undefined ? [] : [{ number: i + 1, record: provenAt - firstRecord }],
  )
  return proofs.sort((one, other) => one.record - other.record)
}

/** Of a book that no gap has made lost since. */
export function prove(book: { trust: BookTrust } | undefined): void {
  if (book?.trust === 'observed') book.trust = 'established'
}

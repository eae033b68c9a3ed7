// Where the parts of partitions lie: blocks, the books between them, rollups. Parts are fetched before a computation,
// which is synchronous and reads them one by one.

import type { PartitionKey } from './partition-key.ts'

export type PartKind = 'block' | 'state' | 'seconds' | 'minutes'
/** `book` is the index of the book for seconds and minutes, else 0. */
export type PartId = { kind: PartKind; id: number; book: number }
export type StoredPart = PartId & { bytes: Uint8Array }

/** What the last day before a day closes with, where the day was copied without it. `date` is that last day: the books
 *  count until a day from that date on is stored before it. */
export type CarriedBooks = { date: string; closing: Uint8Array | null }

/** What a layer of a day opens and closes with. Encoded by workers/book/book-state.ts. */
export type LayerBooks = { opening: Uint8Array | null; closing: Uint8Array | null; carried?: CarriedBooks }

/** Apart from the head, since they are larger. `layers` where several sources tell of the day, in the head's order; the
 *  others are then of what the day shows. */
export type PartitionBooks = LayerBooks & { layers?: (LayerBooks & { source: string | null })[] }
export const NO_BOOKS: PartitionBooks = { opening: null, closing: null }

export type PartRef = { key: PartitionKey } & (PartId | { kind: 'books' })

export interface BlockStore {
  /** Makes parts ready to be read without waiting; for LMDB there is nothing to do. */
  fetch(parts: PartRef[]): Promise<Parts>
}

/** Stored perhaps, and not among the parts that were fetched. */
export class NotFetched extends Error {}

/** Both methods throw DataError('block_corrupt'); PartGone where the part is not stored, or not any more. */
export interface Parts {
  bytes(key: PartitionKey, part: PartId): Uint8Array
  books(key: PartitionKey): PartitionBooks
}

export const blockPart = (id: number): PartId => ({ kind: 'block', id, book: 0 })
export const statePart = (id: number): PartId => ({ kind: 'state', id, book: 0 })
export const nameOfPart = ({ kind, id, book }: PartId): string =>
  kind === 'block' || kind === 'state' ? `${kind} ${id}` : `${kind} ${id} of book ${book}`

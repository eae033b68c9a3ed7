// The port to the parts of partitions: blocks, states (the books before a block) and rollups. A caller fetches parts
// first; the computation is synchronous and reads them one by one.

import type { PartitionKey } from './partition-key.ts'

export type PartKind = 'block' | 'state' | 'seconds' | 'minutes'
/** Identifies a part within its partition. `book` is the index of the book for seconds and minutes, else 0. */
export type PartId = { kind: PartKind; id: number; book: number }
export type StoredPart = PartId & { bytes: Uint8Array }

/** The closing books of the earlier day `date`, for a day that was copied without the earlier day. They no longer
 *  apply once `date`, or a day between `date` and this day, is stored. */
export type CarriedBooks = { date: string; closing: Uint8Array | null }

/** The books that a layer of a day opens and closes with, encoded by workers/book/book-state.ts. */
export type LayerBooks = { opening: Uint8Array | null; closing: Uint8Array | null; carried?: CarriedBooks }

/** The opening and closing books of a partition; stored apart from the head because they are larger. If several sources
 *  have the day, `layers` holds the books of each source in the head's order. The other fields then hold the opening
 *  and closing books that answers show for the day. */
export type PartitionBooks = LayerBooks & { layers?: (LayerBooks & { source: string | null })[] }
export const NO_BOOKS: PartitionBooks = { opening: null, closing: null }

export type PartRef = { key: PartitionKey } & (PartId | { kind: 'books' })

export interface BlockStore {
  /** Loads parts so that they can be read synchronously; does nothing for LMDB. */
  fetch(parts: PartRef[]): Promise<Parts>
}

/** Thrown if the caller reads a part that it has not fetched. The store may have the part. */
export class NotFetched extends Error {}

/** Fetched parts. Both methods throw DataError('block_corrupt') if the part is damaged, and PartGone if it is not, or
 *  no longer, stored. */
export interface Parts {
  bytes(key: PartitionKey, part: PartId): Uint8Array
  books(key: PartitionKey): PartitionBooks
}

export const blockPart = (id: number): PartId => ({ kind: 'block', id, book: 0 })
export const statePart = (id: number): PartId => ({ kind: 'state', id, book: 0 })
export const nameOfPart = ({ kind, id, book }: PartId): string =>
  kind === 'block' || kind === 'state' ? `${kind} ${id}` : `${kind} ${id} of book ${book}`

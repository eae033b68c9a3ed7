// Where the parts of partitions are stored: in rows beside the others, or as pieces of objects.

import type { BlockStore } from '../../block-store.ts'
import type { MarketChange, PartitionChange } from '../../catalogue.ts'
import type { PartitionKey } from '../../partition-key.ts'
import type { Row, RowKey } from '../rows.ts'

/** What the parts of a partition add to a commit. */
export type PlacedDay = { placement: Uint8Array; put: readonly Row[]; remove: readonly RowKey[] }

export interface Placed {
  /** Returns what a partition's parts add. It is the same at each call. */
  day(change: PartitionChange): Promise<PlacedDay>
}

export interface Placing extends BlockStore {
  place(changes: readonly MarketChange[]): Placed
  /** Returns the bytes of a partition's parts. */
  bytesOf(key: PartitionKey): Promise<number>
}

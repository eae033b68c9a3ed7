// Where the parts of partitions are stored: in rows beside the others, or as pieces of objects.

import type { BlockStore } from '../../block-store.ts'
import type { MarketChange, PartitionChange } from '../../catalogue.ts'
import type { PartitionKey } from '../../partition-key.ts'
import type { Row, RowKey } from '../rows.ts'
import type { Write } from '../shared-rows.ts'

/** What the parts of a partition add to a commit. */
export type PlacedDay = { placement: Uint8Array; put: readonly Row[]; remove: readonly RowKey[] }

/** One plan of a commit. A commit is planned again if another writer has changed its rows. */
export interface PlacementPlan {
  /** Returns what the parts of a partition add, if its market is not refused. Call it once. */
  day(change: PartitionChange): Promise<PlacedDay>
  /** Adds the rows that several partitions share, after the last day. */
  finish(write: Write): void
}

/** The parts of one commit. */
export interface Placed {
  /** Call it after the entries of the markets were read: an entry changes whenever the place of a part changes. */
  plan(): Promise<PlacementPlan>
  /** Resolves once the parts are stored where the last plan says. */
  stored(): Promise<void>
  /** Call it after the commit. */
  committed(): void
}

export interface Placing extends BlockStore {
  place(changes: readonly MarketChange[]): Placed
  /** Returns the bytes of a partition's parts. */
  bytesOf(key: PartitionKey): Promise<number>
}

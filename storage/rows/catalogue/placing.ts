// The interface that stores the parts of partitions: in rows like the other values, or as pieces of objects.

import type { BlockStore } from '../../block-store.ts'
import type { MarketChange, PartitionChange } from '../../catalogue.ts'
import type { Row, RowKey } from '../rows.ts'
import type { Write } from '../shared-rows.ts'

/** The placement of a partition whose parts are in rows, or that is removed. */
export const NOWHERE = new Uint8Array(0)

/** What the parts of a partition add to a commit: their placement, and the rows to store and to remove. */
export type PlacedDay = { placement: Uint8Array; put: readonly Row[]; remove: readonly RowKey[] }

/** One plan of a commit. A commit is planned again if another writer has changed its rows. */
export interface PlacementPlan {
  /** Returns what the parts of a partition add to the commit. Call it once for each partition, and only if the market
   *  is not refused. */
  day(change: PartitionChange): Promise<PlacedDay>
  /** Adds to the commit the rows that several partitions share. Call it after the last call of `day`. */
  finish(write: Write): void
}

/** The parts of one commit. */
export interface Placed {
  /** Returns a new plan. Call it after the entries of the markets were read, because an entry changes whenever the
   *  place of a part changes. */
  plan(): Promise<PlacementPlan>
  /** Resolves once the parts are stored where the plans say. */
  stored(): Promise<void>
  /** Call it after the commit. */
  committed(): void
}

export interface Placing extends BlockStore {
  place(changes: readonly MarketChange[]): Placed
}

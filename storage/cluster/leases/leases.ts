// Who records what: the markets of a group of recorders are divided into shards, and each shard has a lease, which one
// recorder holds. The clock of the database alone says when a lease has expired.

import type { Fence } from '../../fence.ts'

/** What was recorded of a shard, as its holder says it. Nothing that was said until `untilMs`, Unix ms, is missing in
 *  the store, but of those books that `books` says more of; null where nothing was recorded. */
export type ShardHeard = { untilMs: number | null; books: Uint8Array | null }

export type HeldLease = {
  fence: Fence
  /** Null where nothing is known yet; `books` is null where it is as it was told last. */
  heard: ShardHeard | null
}

export type LeaseTurn = { group: string; holder: string; ttlMs: number; held: readonly HeldLease[] }

/** `free` was never held, or was given back; `expired` still names its holder, who may renew it while nobody took it. */
export type LeaseRow = { lease: string; holder: string | null; epoch: number; state: 'held' | 'free' | 'expired' }

/** As of one moment. `recorders` are those that live; both ascend by name. */
export type LeaseGroup = { recorders: string[]; leases: LeaseRow[] }

export type TakenLease = { fence: Fence; heard: ShardHeard }

/** Every method may reject with DataError('store_unavailable'). */
export interface Leases {
  /** Makes so many leases of a group, unless it has some. */
  prepare(group: string, count: number): Promise<void>
  /** Says that the holder lives, and renews what it holds. Resolves to the group as it is then: a lease of another
   *  epoch or holder than was said is lost. */
  turn(turn: LeaseTurn): Promise<LeaseGroup>
  /** Takes a lease that is free or has expired, as it was seen. Undefined where somebody was quicker, or a commit
   *  still holds it. */
  take(seen: LeaseRow, taker: { holder: string; ttlMs: number }): Promise<TakenLease | undefined>
  /** Gives leases back. Nothing where they are somebody else's. */
  giveBack(held: readonly HeldLease[]): Promise<void>
  /** The recorder is not counted any more. */
  leave(group: string, holder: string): Promise<void>
  close(): Promise<void>
}

/** Ascending, however many there are. */
export const leaseName = (group: string, shard: number): string => `${group}/${String(shard).padStart(4, '0')}`

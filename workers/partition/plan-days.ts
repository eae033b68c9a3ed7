// Plans the days of a market that the store has nothing of, before they are committed: where captures are read in
// threads, so does their planning run there.

import { type CollectedPartition, isReady } from './collected-partition.ts'
import type { PartitionChange } from './partition-types.ts'
import { planPartition } from './plan-partition.ts'

/** A plan for a partition that is new, where the day before closes with those books, or there is none. */
export type PlannedPartition = { closingBefore: Uint8Array | null; change: PartitionChange }

/** Each day from the books that the one before it leaves, as far as that is known before they are stored. */
export function planDays(days: CollectedPartition[]): void {
  let closingBefore: Uint8Array | null = null
  for (const day of days.toSorted((a, b) => (a.key.date < b.key.date ? -1 : 1))) {
    if (!isReady(day)) return
    const closing: Uint8Array | null = closingBefore
    const change = planPartition(undefined, day, () => closing)
    if (change === undefined) return
    day.planned = { closingBefore, change }
    closingBefore = change.books?.closing ?? null
  }
}

// Plans the days of a market that is not in the store yet, before they are committed. The threads that read captures
// also run this planning.

import { type CollectedPartition, isReady } from './collected-partition.ts'
import type { PartitionChange } from './partition-types.ts'
import { planPartition } from './plan-partition.ts'

/** A plan for a new partition. It is valid only if the day before closes with the books `closingBefore`. If
 *  `closingBefore` is null, the plan is valid only if there is no day before. */
export type PlannedPartition = { closingBefore: Uint8Array | null; change: PartitionChange }

/** Plans each day from the closing books of the day before. Stops at the first day that cannot be planned in
 *  advance. */
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

// Runs of buckets in which a book can be believed alike. Pure.

import { TRUSTS, type TrustRank, type TrustStep, UNKNOWN } from '../trust/trust-steps.ts'
import type { BucketGrid } from './bucket-grid.ts'
import type { BucketRun } from './plan-summary.ts'

/** `trust` is the worst that the book was in each of its buckets. */
export type TrustedRun = BucketRun & { trust: TrustRank }

/** `steps` are those of the book, nothing after `toMs` counts; only buckets of these trusts are kept, all unless given. */
export function trustedRuns(
  runs: readonly BucketRun[],
  steps: readonly TrustStep[],
  { grid, toMs, kept = TRUSTS }: { grid: BucketGrid; toMs: number; kept?: readonly string[] | undefined },
): TrustedRun[] {
  const trusted: TrustedRun[] = []
  /** The first step behind the start of the bucket. */
  let next = 0
  const startOf = (step: number) => steps[step]?.fromMs ?? Number.POSITIVE_INFINITY
  for (const { first, last } of runs) {
    for (let number = first; number <= last; ) {
      const endMs = Math.min(grid.endMs(number), toMs + 1)
      while (startOf(next) <= grid.startMs(number)) next++
      let trust = steps[next - 1]?.trust ?? 0
      for (let step = next; startOf(step) < endMs; step++) trust = worseOf(trust, steps[step]!.trust)
      const lastAlike = startOf(next) < endMs ? number : Math.max(number, lastBefore(startOf(next), grid, last))
      addRun(trusted, { first: number, last: lastAlike, trust })
      number = lastAlike + 1
    }
  }
  return trusted.filter(({ trust }) => kept.includes(TRUSTS[trust]!))
}

/** Where a source does not have the book, what it was before and is behind counts. */
const worseOf = (one: TrustRank, other: TrustRank): TrustRank =>
  one === UNKNOWN ? other : other === UNKNOWN ? one : Math.max(one, other)

/** The last bucket before that of an instant, and not behind `last`. */
const lastBefore = (timeMs: number, grid: BucketGrid, last: number): number =>
  Number.isFinite(timeMs) ? Math.min(grid.numberAt(timeMs) - 1, last) : last

/** A run that goes on with the last one becomes part of it. */
function addRun(runs: TrustedRun[], run: TrustedRun): void {
  const before = runs.at(-1)
  if (before?.last === run.first - 1 && before.trust === run.trust) before.last = run.last
  else runs.push(run)
}

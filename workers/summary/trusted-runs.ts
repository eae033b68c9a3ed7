// Splits runs of buckets by how far the book can be trusted. Pure.

import { TRUSTS, type TrustRank, type TrustStep, UNKNOWN } from '../trust/trust-steps.ts'
import type { BucketGrid } from './bucket-grid.ts'
import type { BucketRun } from './plan-summary.ts'

/** A run of buckets in which the book has the same trust. `trust` is the book's worst trust within each bucket. */
export type TrustedRun = BucketRun & { trust: TrustRank }

/** Splits the runs where the book's trust changes. `steps` are the trust steps of the book; steps after `toMs` are
 *  ignored. Returns only buckets whose trust is in `shownTrusts`, or all buckets if `shownTrusts` is absent. */
export function trustedRuns(
  runs: readonly BucketRun[],
  steps: readonly TrustStep[],
  { grid, toMs, shownTrusts = TRUSTS }: { grid: BucketGrid; toMs: number; shownTrusts?: readonly string[] | undefined },
): TrustedRun[] {
  const trusted: TrustedRun[] = []
  /** Index of the first step after the start of the bucket. */
  let next = 0
  const startOf = (step: number) => steps[step]?.fromMs ?? Number.POSITIVE_INFINITY
  for (const { first, last } of runs) {
    for (let number = first; number <= last; ) {
      const endMs = Math.min(grid.endMs(number), toMs + 1)
      while (startOf(next) <= grid.startMs(number)) next++
      let trust = steps[next - 1]?.trust ?? 0
      for (let step = next; startOf(step) < endMs; step++) trust = worseOf(trust, steps[step]!.trust)
      const lastOfRun = startOf(next) < endMs ? number : Math.max(number, lastBefore(startOf(next), grid, last))
      addRun(trusted, { first: number, last: lastOfRun, trust })
      number = lastOfRun + 1
    }
  }
  return trusted.filter(({ trust }) => shownTrusts.includes(TRUSTS[trust]!))
}

/** Returns the worse of two trusts. UNKNOWN is the trust while the source does not have the book. It counts only if the
 *  bucket has no other trust. */
const worseOf = (one: TrustRank, other: TrustRank): TrustRank =>
  one === UNKNOWN ? other : other === UNKNOWN ? one : Math.max(one, other)

/** Returns the number of the bucket before the bucket of an instant, but at most `last`. */
const lastBefore = (timeMs: number, grid: BucketGrid, last: number): number =>
  Number.isFinite(timeMs) ? Math.min(grid.numberAt(timeMs) - 1, last) : last

/** Adds a run. If it directly follows the last run and has the same trust, extends the last run instead. */
function addRun(runs: TrustedRun[], run: TrustedRun): void {
  const before = runs.at(-1)
  if (before?.last === run.first - 1 && before.trust === run.trust) before.last = run.last
  else runs.push(run)
}

// The statistics of a market day that calendars and lists of the busiest markets need. They can be summed over markets.

import type { PartitionHead } from '../format/partition-head.ts'

/** Counts of the quality of books. */
const QUALITY_COUNTS = [
  ...(['snapshotsConfirmed', 'snapshotsContradicted'] as const),
  ...(['bestPricesAgreed', 'bestPricesChecked', 'hashesAgreed', 'hashesChecked'] as const),
] as const
/** Counts of a market day. `gaps` counts recorded gaps that no other recorder covers, and inferred gaps. `gapMs` is the
 *  total length of the gaps whose ends are both known. */
const COUNTS = ['records', 'trades', 'gaps', 'gapMs', 'inferredGaps', ...QUALITY_COUNTS] as const

export type DayCounts = Record<(typeof COUNTS)[number], number>
/** `volume` is a whole number of 1e-6 contracts. */
export type DayTotals = DayCounts & { volume: bigint }
/** Sums over all markets of a day. */
export type DaySums = DayTotals & { markets: number }

/** Statistics of one market on a day. */
export type MarketDay = { market: string; records: number; trades: number; volume: bigint; gaps: number; gapMs: number }

const NO_COUNTS = Object.fromEntries(COUNTS.map((name) => [name, 0])) as DayCounts
export const NO_SUMS: DaySums = { ...NO_COUNTS, volume: 0n, markets: 0 }

export function totalsOf({ recordCount, books, bookless, borrowed, inferredGaps, ...head }: PartitionHead): DayTotals {
  const gaps = head.gaps.filter(({ isCovered }) => isCovered !== true)
  const totals: DayTotals = {
    ...NO_COUNTS,
    records: recordCount,
    trades: (bookless?.tradeCount ?? 0) + (borrowed?.tradeCount ?? 0),
    gaps: gaps.length + inferredGaps.length,
    inferredGaps: inferredGaps.length,
    volume: BigInt(bookless?.tradeVolume ?? 0) + BigInt(borrowed?.tradeVolume ?? 0),
  }
  for (const { tradeCount, tradeVolume, quality } of books) {
    totals.trades += tradeCount
    totals.volume += BigInt(tradeVolume)
    for (const name of QUALITY_COUNTS) totals[name] += quality[name]
  }
  for (const gap of gaps) totals.gapMs += lengthOf(gap)
  for (const gap of inferredGaps) totals.gapMs += lengthOf(gap)
  return totals
}

function lengthOf({ fromMs, toMs }: { fromMs: number | null; toMs: number | null }): number {
  return fromMs === null || toMs === null ? 0 : Math.max(0, toMs - fromMs)
}

/** Replaces one market's `before` by `after` in the sums, in place; each is null if the market has nothing on that
 *  day. */
export function changeSums(sums: DaySums, before: DayTotals | null, after: DayTotals | null): void {
  if (before !== null) {
    for (const name of COUNTS) sums[name] -= before[name]
    sums.volume -= before.volume
    sums.markets--
  }
  if (after !== null) {
    for (const name of COUNTS) sums[name] += after[name]
    sums.volume += after.volume
    sums.markets++
  }
}

/** Adds the sums of other markets of the day, in place. */
export function addSums(sums: DaySums, other: DaySums): void {
  for (const name of COUNTS) sums[name] += other[name]
  sums.volume += other.volume
  sums.markets += other.markets
}

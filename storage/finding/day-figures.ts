// What a calendar and a list of the busiest markets need of a day of a market. All of it adds up over markets.

import type { PartitionHead } from '../format/partition-head.ts'

/** Counts of a day. Gaps are those that a record tells of and those that were inferred; `gapMs` is how long those lasted
 *  of which both ends are known. */
const COUNTS = [
  ...(['records', 'trades', 'gaps', 'gapMs', 'inferredGaps', 'snapshotsConfirmed', 'snapshotsContradicted'] as const),
  ...(['bestPricesAgreed', 'bestPricesChecked', 'hashesAgreed', 'hashesChecked'] as const),
] as const

export type DayCounts = Record<(typeof COUNTS)[number], number>
/** `volume` is a whole number of 1e-6 contracts. */
export type DayFigures = DayCounts & { volume: bigint }
/** Of all markets of a day. */
export type DaySums = DayFigures & { markets: number }

/** Of one market. */
export type MarketDay = { market: string; records: number; trades: number; volume: bigint; gaps: number; gapMs: number }

export const NO_SUMS: DaySums = {
  ...(Object.fromEntries(COUNTS.map((name) => [name, 0])) as DayCounts),
  volume: 0n,
  markets: 0,
}

export function figuresOf({ recordCount, books, bookless, gaps, inferredGaps }: PartitionHead): DayFigures {
  const total = (count: (book: (typeof books)[number]) => number) => books.reduce((sum, book) => sum + count(book), 0)
  return {
    records: recordCount,
    trades: total(({ tradeCount }) => tradeCount) + (bookless?.tradeCount ?? 0),
    volume: books.reduce((sum, { tradeVolume }) => sum + BigInt(tradeVolume), BigInt(bookless?.tradeVolume ?? 0)),
    gaps: gaps.length + inferredGaps.length,
    gapMs: [...gaps, ...inferredGaps].reduce((sum, gap) => sum + lengthOf(gap), 0),
    inferredGaps: inferredGaps.length,
    snapshotsConfirmed: total(({ quality }) => quality.snapshotsConfirmed),
    snapshotsContradicted: total(({ quality }) => quality.snapshotsContradicted),
    bestPricesAgreed: total(({ quality }) => quality.bestPricesAgreed),
    bestPricesChecked: total(({ quality }) => quality.bestPricesChecked),
    hashesAgreed: total(({ quality }) => quality.hashesAgreed),
    hashesChecked: total(({ quality }) => quality.hashesChecked),
  }
}

function lengthOf({ fromMs, toMs }: { fromMs: number | null; toMs: number | null }): number {
  return fromMs === null || toMs === null ? 0 : Math.max(0, toMs - fromMs)
}

/** The sums with `before` of one market replaced by `after`; null where it has nothing of that day. */
export function changedSums(sums: DaySums, before: DayFigures | null, after: DayFigures | null): DaySums {
  const changed = { ...sums }
  for (const [figures, sign] of [[before, -1] as const, [after, 1] as const]) {
    if (figures === null) continue
    for (const name of COUNTS) changed[name] += sign * figures[name]
    changed.volume += BigInt(sign) * figures.volume
    changed.markets += sign
  }
  return changed
}

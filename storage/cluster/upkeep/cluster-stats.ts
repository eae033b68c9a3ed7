// Counts what a cluster stores, and the work that waits for its upkeep.

import { below } from '../../rows/keys.ts'
import { openSums } from '../../rows/market-rows.ts'
import { ALL_ROWS, type Rows } from '../../rows/rows.ts'
import { countMarkets } from '../../rows/shared-rows.ts'
import { DAY_MS, utcDate } from '../../units.ts'
import { VENUES } from '../../venue.ts'
import { uncompactedBefore } from './stored-days.ts'
import { segmentTotals, unnamedSegments } from './stored-segments.ts'

/** Counts of waiting work stop at this number, because counting further would cost more than it is worth. */
const COUNTED_MAX = 10_000

/** Counts days by adding up the market counts of all dates: counting the days themselves would read the rows of all
 *  markets. */
export async function clusterStats(rows: Rows, nowMs = Date.now()) {
  const [markets, sums, totals, daysToCompact, segmentsToSweep] = await Promise.all([
    countMarkets(rows),
    rows.range({ ...below('s'), limit: ALL_ROWS }),
    segmentTotals(rows),
    countDaysToCompact(rows, nowMs),
    countSegmentsToSweep(rows, nowMs),
  ])
  return {
    markets,
    partitions: sums.reduce((sum, { key, value }) => sum + openSums(key, value).markets, 0),
    segments: totals.segments,
    segmentBytes: totals.bytes,
    daysToCompact,
    segmentsToSweep,
  }
}

async function countDaysToCompact(rows: Rows, nowMs: number): Promise<number> {
  const ranges = VENUES.map((venue) => uncompactedBefore(venue, utcDate(nowMs)))
  const counts = await Promise.all(ranges.map((range) => rows.count(range, COUNTED_MAX)))
  return Math.min(
    COUNTED_MAX,
    counts.reduce((sum, count) => sum + count, 0),
  )
}

async function countSegmentsToSweep(rows: Rows, nowMs: number): Promise<number> {
  for await (const page of unnamedSegments(rows, nowMs - DAY_MS, COUNTED_MAX)) return page.length
  return 0
}

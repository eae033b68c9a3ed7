// Computes the buckets of a planned summary, day by day.

import type { Parts } from '../../storage/block-store.ts'
import { isSwitchedTo } from '../../storage/format/head-layers.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import { dateStartMs } from '../../storage/units.ts'
import { NO_TOP } from '../book/order-book.ts'
import type { SummaryRequest } from '../requests.ts'
import { BucketBuilder } from './bucket-builder.ts'
import type { BucketColumns, Candle } from './bucket-columns.ts'
import type { BucketGrid } from './bucket-grid.ts'
import { takeColumns } from './column-pool.ts'
import type { DayOfSummary, SummaryPlan } from './plan-summary.ts'
import { DaySummary } from './summarize-day.ts'

export type Wanted = { grid: BucketGrid; candles?: readonly Candle[] }

/** Returns the buckets. The caller may release the columns to the pool. Candles that are not requested are undefined.
 *  Throws DataError('block_corrupt'). */
export function summarize(
  parts: Parts,
  request: SummaryRequest,
  plan: SummaryPlan,
  { grid, candles }: Wanted,
): BucketColumns {
  const { venue, market } = request
  const builder = new BucketBuilder(grid, request, takeColumns(expectedBuckets(request, plan)), candles)
  plan.days.forEach((day, index) => {
    const summary = daySummary(parts, { venue, market, date: day.day.date }, request, day, builder)
    const before = plan.days[index - 1]?.day.head
    if (before === undefined) builder.begin(summary.startingTop())
    else if (isSwitchedTo(before, day.day.head)) builder.setTop(dateStartMs(day.day.date), openingOf(day))
    summary.addTo()
  })
  if (plan.days.length === 0) builder.begin(NO_TOP)
  return builder.finish()
}

function daySummary(
  parts: Parts,
  key: PartitionKey,
  request: SummaryRequest,
  { day: { head }, plan }: DayOfSummary,
  builder: BucketBuilder,
): DaySummary {
  const stored = { key, head, books: () => parts.books(key), bytes: parts.bytes.bind(parts, key) }
  return new DaySummary(stored, plan, request, builder)
}

const openingOf = ({ day: { head }, plan }: DayOfSummary) => head.books[plan.bookIndex]?.opening ?? NO_TOP

/** Returns an upper limit for the number of rows. One row is for the start of the range. The others are at most the
 *  planned buckets, and at most the book's quotes, gaps and switches. */
function expectedBuckets({ book }: SummaryRequest, { days, bucketCount }: SummaryPlan): number {
  const changes = days.reduce((sum, { day: { head } }) => {
    const quotes = head.books.find(({ id }) => id === book)?.quoteCount ?? 0
    return sum + quotes + head.gaps.length + (head.spans?.length ?? 0)
  }, 0)
  return 1 + Math.min(changes, bucketCount)
}

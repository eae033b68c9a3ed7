// The JSON array of a summary, in chunks: each bucket of the planned runs, observed or carried.

import type { BucketColumns } from '../summary/bucket-columns.ts'
import type { BucketGrid } from '../summary/bucket-grid.ts'
import type { BucketRun } from '../summary/plan-summary.ts'
import { BucketWriter } from './bucket-writer.ts'

export type SummaryJson = {
  columns: BucketColumns
  runs: BucketRun[]
  grid: BucketGrid
  timestampUnit: 'ms' | 's'
  /** Whether buckets without a quote are left out. */
  isObservedOnly: boolean
}

/** Buckets the array will have: known before the first is written. */
export function bucketCount({ columns, runs, isObservedOnly }: SummaryJson): number {
  if (!isObservedOnly) return runs.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  let count = 0
  for (let i = 0; i < columns.count; i++) if (columns.quoteCounts[i]! > 0) count++
  return count
}

export function* summaryChunks(summary: SummaryJson): Generator<Uint8Array> {
  const { columns, runs, grid, isObservedOnly } = summary
  const buckets = new BucketWriter(columns, grid, summary.timestampUnit)
  let index = 0 // the latest entry of the columns at or before the bucket
  for (const { first, last } of runs) {
    for (let number = first; number <= last; number++) {
      while (index + 1 < columns.count && columns.numbers[index + 1]! <= number) index++
      const isObserved = columns.numbers[index] === number && columns.quoteCounts[index]! > 0
      if (!isObserved && isObservedOnly) continue
      if (isObserved) buckets.writeObserved(index)
      else buckets.writeCarried(number, index)
      if (buckets.isFull) yield buckets.take()
    }
  }
  buckets.end()
  yield buckets.take()
}

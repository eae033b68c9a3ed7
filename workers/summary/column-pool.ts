// Reuses the bucket columns of answers and of decoded rollups. A day at 1 s takes 9 MB, and the first access to new
// memory of this size costs more than writing the columns.

import { BucketColumns } from './bucket-columns.ts'

/** Maximum number of buckets in small columns: enough for a day of minutes, or for a month of hours. */
const SMALL_MAX = 2 ** 12
/** Maximum number of buckets in large columns: a day and a half at 1 s. Larger columns are not pooled. */
const LARGE_MAX = 2 ** 17
/** How many columns the pool holds. Small: two, because columns of minutes are merged into those of an answer. Large:
 *  one, because a thread uses one at a time. */
const POOLED_MAX = { small: 2, large: 1 }
const pooled: Record<keyof typeof POOLED_MAX, BucketColumns[]> = { small: [], large: [] }

/** Returns columns without buckets. `expected` buckets fit without reallocation; more may follow. */
export function takeColumns(expected: number): BucketColumns {
  const columns = pooled[sizeOf(expected)].pop()
  return columns === undefined || columns.capacity < expected ? new BucketColumns(expected) : columns
}

/** Returns columns to the pool; they must not be used afterwards. */
export function releaseColumns(columns: BucketColumns): void {
  if (columns.capacity > LARGE_MAX) return
  const size = sizeOf(columns.capacity)
  const list = pooled[size]
  const last = list.at(-1)
  if (last !== undefined && list.length === POOLED_MAX[size]) {
    if (last.capacity >= columns.capacity) return
    list.pop()
  }
  columns.count = 0
  list.push(columns)
}

const sizeOf = (capacity: number) => (capacity > SMALL_MAX ? 'large' : 'small')

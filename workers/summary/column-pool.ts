// Bucket columns to use again, those of answers and of decoded rollups. A day at 1 s is 9 MB of them, and memory that a
// process touches first costs more than what is written to it here.

import { BucketColumns } from './bucket-columns.ts'

/** Of a day of minutes, or of a month of hours. */
const SMALL_MAX = 2 ** 12
/** Larger ones than of a day or two are not kept. */
const LARGE_MAX = 2 ** 17
/** Columns of minutes are merged into those of an answer; of large ones there is one at a time in a thread. */
const KEPT_MAX = { small: 2, large: 1 }
const kept: Record<keyof typeof KEPT_MAX, BucketColumns[]> = { small: [], large: [] }

/** Columns without a bucket. `expected` buckets fit without moving any; more may come. */
export function takeColumns(expected: number): BucketColumns {
  const columns = kept[sizeOf(expected)].pop()
  return columns === undefined || columns.capacity < expected ? new BucketColumns(expected) : columns
}

/** The columns must not be used afterwards. */
export function giveBack(columns: BucketColumns): void {
  if (columns.capacity > LARGE_MAX) return
  const size = sizeOf(columns.capacity)
  const list = kept[size]
  const last = list.at(-1)
  if (last !== undefined && list.length === KEPT_MAX[size]) {
    if (last.capacity >= columns.capacity) return
    list.pop()
  }
  columns.count = 0
  list.push(columns)
}

const sizeOf = (capacity: number) => (capacity > SMALL_MAX ? 'large' : 'small')

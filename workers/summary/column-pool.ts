// Bucket columns to use again. A day at 1 s is 9 MB of them, and memory that a process touches first costs more than
// what is written to it here.

import { BucketColumns } from './bucket-columns.ts'

/** One large answer at a time is made in a thread; larger ones than of a day or two are not kept. */
const POOLED_MAX = 1
const CAPACITY_MAX = 2 ** 17
const pooled: BucketColumns[] = []

/** Columns without a bucket. `expected` buckets fit without moving any; more may come. */
export function takeColumns(expected: number): BucketColumns {
  const columns = pooled.pop()
  return columns === undefined || columns.capacity < expected ? new BucketColumns(expected) : columns
}

/** The columns must not be used afterwards. */
export function giveBack(columns: BucketColumns): void {
  if (pooled.length >= POOLED_MAX || columns.capacity > CAPACITY_MAX) return
  columns.count = 0
  pooled.push(columns)
}

// The JSON array of a summary, in chunks: each bucket of the planned runs, observed or carried.

import type { BucketColumns } from '../summary/bucket-columns.ts'
import type { BucketGrid } from '../summary/bucket-grid.ts'
import type { BucketRun } from '../summary/plan-summary.ts'
import { BucketWriter } from './bucket-writer.ts'
import { ByteWriter } from './byte-writer.ts'

const CHUNK_BYTES = 256 * 1_024
const [OPEN, CLOSE, COMMA] = [0x5b, 0x5d, 0x2c]

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
  const writer = new ByteWriter(CHUNK_BYTES + 2_048)
  let separator = OPEN
  let index = 0 // the latest entry of the columns at or before the bucket
  for (const { first, last } of runs) {
    for (let number = first; number <= last; number++) {
      while (index + 1 < columns.count && columns.numbers[index + 1]! <= number) index++
      const isObserved = columns.numbers[index] === number && columns.quoteCounts[index]! > 0
      if (!isObserved && isObservedOnly) continue
      writer.writeByte(separator)
      separator = COMMA
      if (isObserved) buckets.writeObserved(writer, index)
      else buckets.writeCarried(writer, number, index)
      if (writer.length >= CHUNK_BYTES) yield writer.take()
    }
  }
  if (separator === OPEN) writer.writeByte(OPEN)
  writer.writeByte(CLOSE)
  yield writer.take()
}

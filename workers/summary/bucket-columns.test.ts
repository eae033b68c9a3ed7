// Buckets as columns grow, begin without candles, and are copied row by row.

import { expect, test } from 'bun:test'
import { BUCKET_FIELDS, BucketColumns, NO_VALUE } from './bucket-columns.ts'

function filled(count: number): BucketColumns {
  const rows = new BucketColumns(1)
  for (let i = 0; i < count; i++) {
    const at = rows.open(100 + i)
    rows.quoteCounts[at] = i
    rows.bids[at] = 2 * i
    rows.asks[at] = 3 * i
    rows.bidSizes[at] = 4 * i
    rows.askSizes[at] = 5 * i
    rows.candles[BUCKET_FIELDS * at + 15] = 6 * i
  }
  return rows
}

const rowOf = (rows: BucketColumns, i: number) => [
  ...[rows.numbers, rows.quoteCounts, rows.bids, rows.asks, rows.bidSizes, rows.askSizes].map((column) => column[i]),
  rows.candles[BUCKET_FIELDS * i],
  rows.candles[BUCKET_FIELDS * i + 15],
]
const expectedRow = (i: number) => [100 + i, i, 2 * i, 3 * i, 4 * i, 5 * i, NO_VALUE, 6 * i]

test('rows stay as they were when the columns grow', () => {
  const rows = filled(200)
  expect([rows.count, rows.capacity >= 200]).toEqual([200, true])
  for (const i of [0, 63, 64, 199]) expect(rowOf(rows, i)).toEqual(expectedRow(i))
})

test('some rows of other columns, with and without candles', () => {
  const rows = filled(10)
  rows.append(filled(150), 20, 120, true)
  expect(rows.count).toBe(110)
  for (const i of [9, 10, 60, 109]) expect(rowOf(rows, i)).toEqual(expectedRow(i < 10 ? i : i + 10))
  const bare = new BucketColumns(64)
  bare.append(filled(5), 1, 3, false)
  expect([bare.count, bare.numbers[1], bare.candles[BUCKET_FIELDS + 15]]).toEqual([2, 102, 0])
})

test('a new bucket has no quote and no candle, whatever the row held before', () => {
  const rows = filled(3)
  rows.count = 2
  const at = rows.open(7)
  expect([at, rows.quoteCounts[2], rows.numbers[2]]).toEqual([2, 0, 7])
  expect([...rows.candles.subarray(2 * BUCKET_FIELDS, 3 * BUCKET_FIELDS)]).toEqual(Array(BUCKET_FIELDS).fill(NO_VALUE))
})

// Columns come back empty and large enough; the pool keeps the largest few.

import { expect, test } from 'bun:test'
import { BucketColumns } from './bucket-columns.ts'
import { releaseColumns, takeColumns } from './column-pool.ts'

const drain = () => Array.from({ length: 3 }, () => [takeColumns(64), takeColumns(2 ** 13)])

test('released columns are taken again without their buckets', () => {
  drain()
  const columns = takeColumns(100)
  columns.open(7)
  releaseColumns(columns)
  const again = takeColumns(64)
  expect(again).toBe(columns)
  expect(again.count).toBe(0)
})

test('columns that are too small for the expected rows are not reused', () => {
  drain()
  releaseColumns(new BucketColumns(100))
  expect(takeColumns(4_096).capacity).toBe(4_096)
  const large = new BucketColumns(2 ** 14)
  releaseColumns(large)
  expect(takeColumns(64)).not.toBe(large)
  expect(takeColumns(2 ** 13)).toBe(large)
})

test('two small ones and one large one wait, the larger in place of the last', () => {
  drain()
  const small = [100, 200, 300, 150].map((count) => new BucketColumns(count))
  for (const columns of small) releaseColumns(columns)
  expect([takeColumns(64), takeColumns(64)]).toEqual([small[2]!, small[0]!])
  const large = [2 ** 13, 2 ** 14, 2 ** 13].map((count) => new BucketColumns(count))
  for (const columns of large) releaseColumns(columns)
  expect(takeColumns(2 ** 13)).toBe(large[1]!)
  expect(large.includes(takeColumns(2 ** 13))).toBe(false)
})

test('columns for more than a day or two at 1 s are released', () => {
  drain()
  const huge = new BucketColumns(2 ** 17 + 1)
  releaseColumns(huge)
  expect(takeColumns(2 ** 13)).not.toBe(huge)
})

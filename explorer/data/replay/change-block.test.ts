// A switch to another source has a place among the records, although it is not a record.

import { expect, test } from 'bun:test'
import { placed, recordStart, rowsThrough } from './change-block.ts'

test('rows without a record are half a place before the next record, or after the last one of a block', () => {
  const { NaN: none } = Number
  expect([...placed(Float64Array.of(3, 3, none, none, 5, none))]).toEqual([3, 3, 4.5, 4.5, 5, 5.5])
  expect([...placed(Float64Array.of(none, none))]).toEqual([0.5, 0.5])
})

test('rows without a record are found by their place, as records are', () => {
  const block = { records: placed(Float64Array.of(3, Number.NaN, Number.NaN, 5)) } as Parameters<typeof rowsThrough>[0]
  expect([2, 3, 4, 5].map((record) => rowsThrough(block, record))).toEqual([0, 1, 1, 4])
  expect(recordStart(block, 2)).toBe(1)
})

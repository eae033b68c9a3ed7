// Copies of rows outlive their row group, and times of any unit become whole ms.

import { expect, test } from 'bun:test'
import { inMs, rowsOf } from './columns.ts'

test('rows of every kind of column', () => {
  const words = {} as never
  const columns = {
    times: Float64Array.of(1, 2, 3, 4),
    ids: BigUint64Array.of(1n, 2n, 3n, 4n),
    names: { places: Int32Array.of(5, 6, -1, 8), words },
    lists: { starts: Uint32Array.of(0, 2, 2, 5, 6), values: Float64Array.of(10, 11, 12, 13, 14, 15) },
  }
  const copy = rowsOf(columns, 1, 3)
  expect(copy).toEqual({
    times: Float64Array.of(2, 3),
    ids: BigUint64Array.of(2n, 3n),
    names: { places: Int32Array.of(6, -1), words },
    lists: { starts: Uint32Array.of(0, 0, 3), values: Float64Array.of(12, 13, 14) },
  })
  columns.times.fill(0)
  expect(copy.times[0]).toBe(2)
})

test('times are cut to ms', () => {
  expect([...inMs(Float64Array.of(1_999, 2_000, -1), 1_000)]).toEqual([1, 2, -1])
  expect([...inMs(Float64Array.of(1.5), 1)]).toEqual([1.5])
})

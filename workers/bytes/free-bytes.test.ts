// Large bytes of their own are freed; short ones and views of a larger buffer stay.

import { expect, test } from 'bun:test'
import { freeBytes } from './free-bytes.ts'

test.each([
  ['a column of its own', new Float64Array(4_096), 0],
  ['bytes just long enough', new Uint8Array(16 * 1_024), 0],
  ['short bytes', new Uint8Array(16 * 1_024 - 1), 16 * 1_024 - 1],
  ['a view of a larger buffer', new Uint8Array(40_000).subarray(1), 40_000],
])('%s', (_, column, left) => {
  freeBytes(column)
  expect(column.buffer.byteLength).toBe(left)
})

// Goal: counts are added by name.

import { expect, test } from 'bun:test'
import { addCounts } from './add-counts.ts'

test('new names begin at 0', () => {
  const sums = { a: 1 }
  addCounts(sums, { a: 2, b: 3 })
  addCounts(sums, {})
  expect(sums).toEqual({ a: 3, b: 3 } as typeof sums)
})

// Tests that the records up to an instant are those at or before it, against a check of each record.

import { expect, test } from 'bun:test'
import { recordsUpTo } from './records-up-to.ts'

test.each([[[]], [[5]], [[1, 1, 1]], [[1, 2, 2, 2, 7, 7, 9]]])('of %p', (times) => {
  const timesMs = Float64Array.from([...times, 0, 0])
  for (let ms = 0; ms <= 10; ms++) {
    const expected = times.filter((time) => time <= ms).length
    expect(recordsUpTo({ timesMs, recordCount: times.length }, ms)).toBe(expected)
  }
})

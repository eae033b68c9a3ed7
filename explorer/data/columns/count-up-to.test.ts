// Compares the position of a value among ascending values with a plain count.

import { expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { countUpTo, rowAt } from './count-up-to.ts'

test('counts the values that are at most a limit', () => {
  const random = new Random(5, 'count')
  for (let n = 0; n < 200; n++) {
    const values = Array.from({ length: random.below(12) }, () => random.below(8)).sort((a, b) => a - b)
    for (let most = -1; most <= 8; most++) {
      expect([values, most, countUpTo(values, most)]).toEqual([
        values,
        most,
        values.filter((each) => each <= most).length,
      ])
    }
  }
  expect([countUpTo([1, 2], Number.NEGATIVE_INFINITY), countUpTo([1, 2], Number.POSITIVE_INFINITY)]).toEqual([0, 2])
})

test('a bucket contains its start, but not its end', () => {
  const times = [10, 20, 40]
  expect([9, 10, 19, 20, 29, 30, 39, 40, 49, 50].map((ms) => rowAt(times, ms, 10))).toEqual([
    ...[-1, 0, 0, 1, 1, -1, -1, 2, 2, -1],
  ])
  expect([9, 10, 39, 40, 999].map((ms) => rowAt(times, ms, 0))).toEqual([-1, 0, 1, 2, 2])
})

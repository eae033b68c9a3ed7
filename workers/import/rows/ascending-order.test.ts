// Rows are ordered by a number; equal ones keep their order.

import { expect, test } from 'bun:test'
import { Random } from '../../synthetic/random.ts'
import { AscendingOrder } from './ascending-order.ts'

test.each([1, 2, 3])('as a stable sort has them, seed %d', (seed) => {
  const random = new Random(seed, 'order')
  const order = new AscendingOrder()
  for (const count of [0, 1, 2, 7, 300, 5]) {
    const numbers = Float64Array.from({ length: count + 3 }, () => random.below(random.pick([3, 1_000])))
    const expected = Array.from({ length: count }, (_, i) => i).sort((a, b) => numbers[a]! - numbers[b]! || a - b)
    expect([...order.of(numbers, count).subarray(0, count)]).toEqual(expected)
  }
})

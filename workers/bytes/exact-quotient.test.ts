// The quotient is the double nearest to the exact quotient, for any operands.

import { expect, test } from 'bun:test'
import { quotient } from '../../test/model/exact.ts'
import { Random } from '../synthetic/random.ts'
import { exactQuotient } from './exact-quotient.ts'

test.each([
  [0n, 7n, 0],
  [1n, 3n, 1 / 3],
  [-1n, 3n, -1 / 3],
  [22n, 50n, 0.44],
  [2n ** 54n + 1n, 2n, 2 ** 53],
  [2n ** 54n + 3n, 2n, 2 ** 53 + 2],
  [10n ** 30n, 10n ** 30n, 1],
])('%d / %d is %d', (dividend, divisor, expected) => {
  expect(exactQuotient(dividend, divisor)).toBe(expected)
})

test('of any size', () => {
  const random = new Random(1, 'quotients')
  const some = () => BigInt(random.below(2 ** 52)) * BigInt(random.below(2 ** random.between(1, 52))) + 1n
  for (let i = 0; i < 2_000; i++) {
    const [dividend, divisor] = [some(), some()]
    expect(exactQuotient(dividend, divisor)).toBe(quotient(dividend, divisor))
  }
})

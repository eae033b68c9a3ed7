// A sum is exact for whole numbers of any size, and converts to the nearest double.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ExactSum } from './exact-sum.ts'

const SAFE = Number.MAX_SAFE_INTEGER
const numbers = fc.array(fc.oneof(fc.maxSafeInteger(), fc.constantFrom(SAFE, -SAFE)), { maxLength: 30 })
const pairs = fc.array(fc.tuple(fc.maxSafeInteger(), fc.integer()), { maxLength: 10 })

const sumOf = (values: number[], products: [number, number][] = []) => {
  const sum = new ExactSum()
  for (const value of values) sum.add(value)
  for (const [one, other] of products) sum.addProduct(one, other)
  return sum
}

test('numbers, products and sums add up as bigints do', () =>
  fc.assert(
    fc.property(numbers, pairs, numbers, (values, products, others) => {
      const sum = sumOf(values, products)
      sum.addSum(sumOf(others))
      let expected = [...values, ...others].reduce((total, value) => total + BigInt(value), 0n)
      for (const [one, other] of products) expected += BigInt(one) * BigInt(other)
      expect(sum.total()).toBe(expected)
      expect(sum.nearest(6)).toBe(Number(`${expected}e-6`))
      sum.clear()
      expect(sum.total()).toBe(0n)
    }),
  ))

test('no digit beyond the precision of a double is lost', () => {
  expect(sumOf([SAFE, 1, 1]).total()).toBe(9_007_199_254_740_993n)
  expect(sumOf([], [[SAFE, 3]]).total()).toBe(27_021_597_764_222_973n)
  expect(sumOf([SAFE, 1, 1]).nearest(6)).toBe(9_007_199_254.740993)
})

// A sum of products, and its quotient, are exact for whole numbers of any size.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { quotient } from '../../test/model/exact.ts'
import { ExactSums } from './exact-sums.ts'

const SAFE = Number.MAX_SAFE_INTEGER
const products = fc.array(fc.tuple(fc.oneof(fc.maxSafeNat(), fc.constant(SAFE), fc.nat(9)), fc.nat(900_000)), {
  maxLength: 60,
})

const summed = (sums: ExactSums, index: number, all: [number, number][]): bigint => {
  for (const [one, other] of all) sums.addProduct(index, one, other)
  return all.reduce((sum, [one, other]) => sum + BigInt(one) * BigInt(other), 0n)
}

test('over a number is the nearest double, and sums are compared exactly', () =>
  fc.assert(
    fc.property(products, products, fc.integer({ min: 1, max: 9e11 }), (one, other, divisor) => {
      const [bids, asks] = [new ExactSums(2), new ExactSums(2)]
      const [bid, ask] = [summed(bids, 1, one), summed(asks, 1, other)]
      expect(bids.over(1, divisor)).toBe(quotient(bid, BigInt(divisor)))
      expect(bids.isAtLeast(1, asks)).toBe(bid >= ask)
      expect(bids.over(0, divisor)).toBe(0)
      bids.clear(1)
      expect(bids.over(1, divisor)).toBe(0)
    }),
  ))

test('distinguishes sums that differ in the last digit', () => {
  const [bids, asks] = [new ExactSums(1), new ExactSums(1)]
  bids.addProduct(0, SAFE, 900_000)
  asks.addProduct(0, SAFE, 899_999)
  asks.addProduct(0, SAFE - 1, 1)
  expect([bids.isAtLeast(0, asks), asks.isAtLeast(0, bids)]).toEqual([true, false])
  asks.addProduct(0, 1, 1)
  expect([bids.isAtLeast(0, asks), asks.isAtLeast(0, bids)]).toEqual([true, true])
})

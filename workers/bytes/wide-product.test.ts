// Goal: a product of more than 53 bits is exact.

import { expect, test } from 'bun:test'
import { Random } from '../synthetic/random.ts'
import { writeProduct } from './wide-product.ts'

test('as BigInt has it', () => {
  const random = new Random(3, 'wide-product')
  const view = new DataView(new ArrayBuffer(16))
  const values = [0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 44 - 1, ...Array.from({ length: 200 }, () => random.below(2 ** 44))]
  for (const value of values) {
    for (const factor of [1, 1_000, 2 ** 20 - 1]) {
      writeProduct(view, 8, value, factor)
      expect(view.getBigUint64(8, true)).toBe(BigInt(value) * BigInt(factor))
    }
  }
  expect(view.getBigUint64(0, true)).toBe(0n)
})

// Prices have the digits of the tick, or more if one of them needs more.

import { expect, test } from 'bun:test'
import { PricePrecision } from './price-precision.ts'

test('digits grow with the prices and never shrink', () => {
  const precision = new PricePrecision(2)
  const digits = [480_000, 0, 485_000, 480_000, 1, 500_000, 485_000].map((price) => {
    precision.note(price)
    return precision.digits
  })
  expect(digits).toEqual([2, 2, 3, 3, 6, 6, 6])
})

test('a first price with fewer digits than the tick keeps those of the tick', () => {
  const precision = new PricePrecision(2)
  precision.note(500_000)
  expect(precision.digits).toBe(2)
})

// Codes rise with sizes, differ by side, and are as fine as colours need.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { CODES, codeOf, codesOf } from './size-codes.ts'

const size = fc.double({ min: 0.01, max: 1e8, noNaN: true })

test('a size of 0 has the code 0, and an ask has the negated code of a bid of its size', () => {
  expect(codeOf(0)).toBe(0)
  fc.assert(
    fc.property(size, (contracts) => {
      expect(codeOf(contracts)).toBeGreaterThan(0)
      expect(codeOf(-contracts)).toBe(-codeOf(contracts))
    }),
  )
})

test('a larger size never has a smaller code, and sizes 5 % apart have different codes', () => {
  fc.assert(
    fc.property(size, fc.double({ min: 1, max: 3, noNaN: true }), (contracts, factor) => {
      expect(codeOf(contracts * factor)).toBeGreaterThanOrEqual(codeOf(contracts))
    }),
  )
  for (let contracts = 0.02; contracts < 9e7; contracts *= 1.05) {
    expect(codeOf(contracts * 1.05)).toBeGreaterThan(codeOf(contracts))
  }
})

test('sizes outside the range get the first code or the last', () => {
  expect([...codesOf(Float32Array.of(1e-6, -1e-6, 1e12, -1e12))]).toEqual([1, -1, CODES, -CODES])
})

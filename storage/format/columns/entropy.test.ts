// The estimate of a column's size is the order-0 entropy of its bytes; a dictionary adds the cost of its words.

import { expect, test } from 'bun:test'
import { dictionaryEntropyBits, planesEntropyBits, SAMPLE_MAX } from './entropy.ts'

const filled = (length: number, valueAt: (i: number) => number) => Float64Array.from({ length }, (_, i) => valueAt(i))

test('a constant costs nothing, two equally frequent bytes a bit each', () => {
  expect(planesEntropyBits(filled(100, () => 5))).toBe(0)
  expect(planesEntropyBits(filled(100, (i) => i % 2))).toBeCloseTo(100, 9)
  expect(planesEntropyBits(filled(SAMPLE_MAX, (i) => i % 4))).toBeCloseTo(2 * SAMPLE_MAX, 9)
})

test('each plane counts by itself', () => {
  // The lowest bytes are all equal, and the second ones have two values.
  expect(planesEntropyBits(filled(64, (i) => 7 + 256 * (i % 2)))).toBeCloseTo(64, 9)
})

test('a dictionary costs 12 bits a word besides its indexes', () => {
  expect(dictionaryEntropyBits(filled(100, (i) => 1_000_000 * (i % 2)))).toBeCloseTo(2 * 12 + 100, 9)
})

test('a dictionary is ruled out if it has more words than a quarter of the values', () => {
  expect(dictionaryEntropyBits(filled(100, (i) => i % 25))).toBeLessThan(Number.POSITIVE_INFINITY)
  expect(dictionaryEntropyBits(filled(100, (i) => i % 26))).toBe(Number.POSITIVE_INFINITY)
})

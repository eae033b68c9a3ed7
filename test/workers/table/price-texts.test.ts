// Prices and sizes are written as the slow, plain way prints them: every step, what lies between, and what is huge.

import { expect, test } from 'bun:test'
import { printTrimmedDecimal } from '../../../storage/format/columns/decimal-text.ts'
import { putHalves, putSize, putSmall } from '../../../workers/table/price-texts.ts'

const bytes = new Uint8Array(64)
const view = new DataView(bytes.buffer)
const plain = new Uint8Array(64)
const decoder = new TextDecoder()

const text = (end: number) => decoder.decode(bytes.subarray(3, end))
const printed = (value: number, scale: number) =>
  decoder.decode(plain.subarray(0, printTrimmedDecimal(value, scale, plain, 0)))

test('every price of a step, twice: printed and remembered', () => {
  for (let round = 0; round < 2; round++) {
    for (let halves = 0; halves <= 2_000_000; halves += 100) {
      expect(text(putHalves(bytes, view, 3, halves))).toBe(printed(5 * halves, 7))
    }
  }
})

test.each([1, 99, 101, 1_234_567, 1_999_999, 2_000_100, 3_999_900, -100, -1, -20_000])('%i half micros', (halves) => {
  expect(text(putHalves(bytes, view, 3, halves))).toBe(printed(5 * halves, 7))
})

test.each([
  0, 1, 10, 9_999, 10_000, 100_000, 110_000, 1_000_000, 198_510_000, 45_000_000, 99_990_000, 2_147_483_647,
  2_147_483_648, 123_456_789, 21_474_836_470_000, 21_474_836_480_000, 21_474_836_490_000, 9_007_199_254_740_000,
])('the size %i', (size) => {
  expect(text(putSize(bytes, 3, size))).toBe(printed(size, 6))
})

test.each([0, 7, 9, 10, 99, 100, 12_345, 999_999_999, 1_000_000_000, 2_147_483_647])('the integer %i', (value) => {
  expect(text(putSmall(bytes, 3, value))).toBe(String(value))
})

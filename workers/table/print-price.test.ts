// Prices are written as the slow, plain way prints them: every step, values between steps, and values that are not
// prices.

import { expect, test } from 'bun:test'
import { printTrimmedDecimal } from '../../storage/format/columns/decimal-text.ts'
import { PRICE_PLACES, printPrice } from './print-price.ts'

const bytes = new Uint8Array(64)
const view = new DataView(bytes.buffer)
const plain = new Uint8Array(64)
const decoder = new TextDecoder()

const text = (end: number) => decoder.decode(bytes.subarray(3, end))
const printed = (value: number) => decoder.decode(plain.subarray(0, printTrimmedDecimal(value, PRICE_PLACES, plain, 0)))

test('every price of a step, twice: printed and remembered', () => {
  for (let round = 0; round < 2; round++) {
    for (let price = 0; price <= 10_000_000; price += 500) expect(text(printPrice(view, 3, price))).toBe(printed(price))
  }
})

test.each([5, 495, 505, 6_172_835, 9_999_995, 10_000_500, 19_999_500, -500, -5, -100_000])('%i of 1e-7', (price) => {
  expect(text(printPrice(view, 3, price))).toBe(printed(price))
})

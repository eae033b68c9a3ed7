// Goal: numbers and instants printed by words equal those printed digit by digit, whatever the buffer held before.

import { expect, test } from 'bun:test'
import { printDecimal, printTrimmedDecimal } from '../../storage/format/columns/decimal-text.ts'
import { printInstant } from '../../storage/format/columns/instant-text.ts'
import { Random } from '../synthetic/random.ts'
import { InstantPrinter } from './instant-printer.ts'
import { NUMBER_ROOM, printDouble, printFixed, printTrimmed, printWhole } from './print-number.ts'

const START = 5
const CALLS = 20_000
const random = new Random(1, 'print-number')
const decoder = new TextDecoder()
const expected = new Uint8Array(64)
const printed = new Uint8Array(START + NUMBER_ROOM)
const view = new DataView(printed.buffer)

/** Returns an integer with any number of digits. Half of them are near a power of ten, where this number changes. */
function anyInteger(): number {
  const power = 10 ** random.between(0, 14)
  return random.chance(0.5) ? power + random.between(-2, 2) : Math.floor(random.fraction() * 10 * power)
}

const textTo = (bytes: Uint8Array, end: number) => decoder.decode(bytes.subarray(START, end))

test('integers', () => {
  for (const value of [0, 9, 10, 9_999, 10_000, 99_999_999, 100_000_000, 999_999_999_999_999]) {
    expect(textTo(printed, printWhole(view, START, value))).toBe(String(value))
  }
  for (let call = 0; call < CALLS; call++) {
    const value = Math.max(0, anyInteger())
    expect(textTo(printed, printWhole(view, START, value))).toBe(String(value))
  }
})

test('doubles in the fewest digits', () => {
  const odd = [0, -0, 1e-6, 1.5e-6, 9.99e-7, 0.1 + 0.2, 1e15, 999_999_999.999999, 1e21, 5e-324, 2 ** 53, -0.25, 1 / 3]
  const made = Array.from({ length: CALLS }, () => {
    const value = anyInteger() / 10 ** random.between(0, 12)
    return random.chance(0.5) ? value : value * (1 + 2 ** -52)
  })
  for (const value of [...odd, ...made]) {
    expect(textTo(printed, printDouble(printed, view, START, value))).toBe(String(value))
  }
})

test('times one after the other', () => {
  for (let call = 0, time = 1_786_399_999_000; call < CALLS; call++, time += random.between(-1, 200)) {
    expect(textTo(printed, printWhole(view, START, time))).toBe(String(time))
  }
})

test('decimals of any places, with and without trailing zeros', () => {
  for (let call = 0; call < CALLS; call++) {
    const places = random.between(0, 12)
    const mantissa = anyInteger() * random.pick([1, 1, -1]) || 0
    const fixedEnd = printDecimal(mantissa, places, expected, START)
    expect(textTo(printed, printFixed(view, START, mantissa, places))).toBe(textTo(expected, fixedEnd))
    const trimmedEnd = printTrimmedDecimal(mantissa, places, expected, START)
    expect(textTo(printed, printTrimmed(view, START, mantissa, places))).toBe(textTo(expected, trimmedEnd))
  }
})

test('integers beyond what doubles divide exactly', () => {
  for (const mantissa of [2 ** 50 + 1, 2 ** 53 - 1, 1 - 2 ** 53, 9_007_199_254_740_000]) {
    for (const places of [0, 3, 6, 12]) {
      const end = printDecimal(mantissa, places, expected, START)
      expect(textTo(printed, printFixed(view, START, mantissa, places))).toBe(textTo(expected, end))
    }
  }
})

test('instants, in time order and in none', () => {
  const instants = new InstantPrinter()
  let instantUs = Date.UTC(2026, 7, 10, 23, 59, 50) * 1_000
  for (let call = 0; call < CALLS; call++) {
    const step = random.pick([0, 1, 10, 500_000, 1_000_000, 86_400_000_000, -3_000_000, 123_456_789])
    instantUs += random.chance(0.9) ? random.between(0, 20_000) : step
    const end = printInstant(instantUs, expected, START)
    expect(textTo(printed, instants.print(view, START, instantUs))).toBe(textTo(expected, end))
  }
})

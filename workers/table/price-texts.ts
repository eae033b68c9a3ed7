// Prices, midpoints, spreads and sizes as JSON numbers. Nearly all prices are multiples of a step of the venues: those
// are at most eight characters long and printed once, so that writing one again is one store.

import { printTrimmedDecimal } from '../../storage/format/columns/decimal-text.ts'
import { MICROS } from '../../storage/units.ts'
import { wordText } from './text-words.ts'

const PRICE_PLACES = 6
const SIZE_PLACES = 6
const CENTI_MICROS = 10_000
const SMALL_SIZE_MAX = 2 ** 31 * CENTI_MICROS
/** Prices and spreads come in steps of 1e-4 dollars on every venue, a midpoint in half of that; in half micros. */
const STEP_HALVES = 100
const STEP_COUNT = (2 * MICROS) / STEP_HALVES + 1

/** Text of each step and its length; 0 where it has not been printed yet. */
const stepWords = new Float64Array(STEP_COUNT)
const stepLengths = new Uint8Array(STEP_COUNT)

/** Writes a price given in half micros; needs eight bytes of room beyond the text. Returns where the text ends. */
export function putHalves(bytes: Uint8Array, view: DataView, at: number, halves: number): number {
  const step = (halves / STEP_HALVES) | 0
  // Half a micro is 0.0000005: ten times as many, at one place more, halved.
  if (step * STEP_HALVES !== halves || step < 0 || step >= STEP_COUNT) {
    return printTrimmedDecimal(5 * halves, PRICE_PLACES + 1, bytes, at)
  }
  if (stepLengths[step] === 0) printStep(step)
  view.setFloat64(at, stepWords[step]!, true)
  return at + stepLengths[step]!
}

/** Writes a size given in 1e-6 contracts. Returns where the text ends. */
export function putSize(bytes: Uint8Array, at: number, size: number): number {
  // Both venues trade hundredths of a contract: integers of 32 bits in nearly every case.
  if (!(size >= 0 && size < SMALL_SIZE_MAX)) return printTrimmedDecimal(size, SIZE_PLACES, bytes, at)
  const hundredths = (size / CENTI_MICROS) | 0
  if (hundredths * CENTI_MICROS !== size) return printTrimmedDecimal(size, SIZE_PLACES, bytes, at)
  const whole = (hundredths / 100) | 0
  const rest = hundredths - 100 * whole
  let end = putSmall(bytes, at, whole)
  if (rest === 0) return end
  const tenth = (rest / 10) | 0
  bytes[end++] = 0x2e
  bytes[end++] = 0x30 + tenth
  if (rest !== 10 * tenth) bytes[end++] = 0x30 + rest - 10 * tenth
  return end
}

/** Writes an integer of 0 to 2^31 - 1. Returns where the text ends. */
export function putSmall(bytes: Uint8Array, at: number, value: number): number {
  let digits = 1
  for (let limit = 10; digits < 10 && value >= limit; limit *= 10) digits++
  let rest = value | 0
  for (let place = at + digits - 1; place >= at; place--) {
    const tenth = (rest / 10) | 0
    bytes[place] = 0x30 + rest - 10 * tenth
    rest = tenth
  }
  return at + digits
}

function printStep(step: number): void {
  const bytes = new Uint8Array(32)
  const length = printTrimmedDecimal(5 * STEP_HALVES * step, PRICE_PLACES + 1, bytes, 0)
  const { words } = wordText(new TextDecoder().decode(bytes.subarray(0, length)))
  stepWords[step] = words[0]!
  stepLengths[step] = length
}

// Prices, midpoints and spreads as texts. Nearly all are multiples of a step of the venues: those are at most eight
// characters long and printed once, so that writing one again is one store.

import { printTrimmed } from './print-number.ts'

/** Decimal places of prices: a midpoint may be half a micro-dollar. */
export const PRICE_PLACES = 7
/** Units of such a price in a micro-dollar. */
export const PRICE_UNITS = 10
/** Prices and spreads come in steps of 1e-4 dollars on every venue, a midpoint in half of that. */
const STEP = 500
const STEP_COUNT = 10 ** PRICE_PLACES / STEP + 1

/** Text of each step and its length; 0 where it has not been printed yet. */
const stepWords = new Float64Array(STEP_COUNT)
const stepLengths = new Uint8Array(STEP_COUNT)

/** Writes a price given in 1e-7 dollars. Returns where the text ends; up to seven bytes after it are overwritten. */
export function printPrice(view: DataView, at: number, price: number): number {
  const step = (price / STEP) | 0
  if (step * STEP !== price || step < 0 || step >= STEP_COUNT) return printTrimmed(view, at, price, PRICE_PLACES)
  if (stepLengths[step] === 0) printStep(step)
  view.setFloat64(at, stepWords[step]!, true)
  return at + stepLengths[step]!
}

function printStep(step: number): void {
  const view = new DataView(new ArrayBuffer(64))
  const length = printTrimmed(view, 0, STEP * step, PRICE_PLACES)
  // The bytes of a number are never those of a NaN, whose bits would not be kept.
  stepWords[step] = view.getFloat64(0, true)
  stepLengths[step] = length
}

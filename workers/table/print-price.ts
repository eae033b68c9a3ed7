// Writes prices, midpoints and spreads. Nearly all are multiples of a venue's tick, and have at most eight characters.
// Each such multiple is formatted only once, so writing it again is a single store.

import { printTrimmed } from './print-number.ts'

/** Decimal places of prices: a midpoint may be half a micro-dollar. */
export const PRICE_PLACES = 7
/** Number of price units (1e-7 dollars) in a micro-dollar. */
export const PRICE_UNITS = 10
/** Prices and spreads are multiples of 1e-4 dollars on every venue; midpoints are multiples of half of that. */
const STEP = 500
const STEP_COUNT = 10 ** PRICE_PLACES / STEP + 1

/** Text of each multiple, and the text's length. The length is 0 if the multiple has not been formatted yet. */
const stepWords = new Float64Array(STEP_COUNT)
const stepLengths = new Uint8Array(STEP_COUNT)

/** Writes a price in 1e-7 dollars. Returns where the text ends; up to seven bytes after it are overwritten. */
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
  // The bytes of a number's text, read as a double, are never a NaN. So they are stored unchanged, while the bits of a
  // NaN might change.
  stepWords[step] = view.getFloat64(0, true)
  stepLengths[step] = length
}

// Tracks how many digits after the decimal point prices need.

import { precisionOf } from './catalog-names.ts'

const MICRO_DIGITS = 6

export class PricePrecision {
  digits: number
  /** The tick size of prices with `digits` digits, in 1e-6 dollars. */
  #step: number

  /** Starts with at least this many digits. */
  constructor(digits: number) {
    this.digits = digits
    this.#step = 10 ** (MICRO_DIGITS - digits)
  }

  /** Notes a price in 1e-6 dollars. */
  note(price: number): void {
    if (price % this.#step === 0) return
    this.digits = precisionOf(price)
    this.#step = 10 ** (MICRO_DIGITS - this.digits)
  }
}

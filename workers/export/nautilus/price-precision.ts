// How many digits behind the point prices need.

import { precisionOf } from './catalog-names.ts'

const MICRO_DIGITS = 6

export class PricePrecision {
  digits: number
  /** The step of prices of so many digits, in 1e-6 dollars. */
  #step: number

  /** At least so many. */
  constructor(digits: number) {
    this.digits = digits
    this.#step = 10 ** (MICRO_DIGITS - digits)
  }

  /** In 1e-6 dollars. */
  note(price: number): void {
    if (price % this.#step === 0) return
    this.digits = precisionOf(price)
    this.#step = 10 ** (MICRO_DIGITS - this.digits)
  }
}

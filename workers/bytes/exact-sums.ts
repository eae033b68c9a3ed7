// Many exact sums of products in typed arrays: each has a high part, in units of 2^26, and a low part.

import { exactQuotient } from './exact-quotient.ts'

const UNIT = 2 ** 26

export class ExactSums {
  readonly #high: Float64Array
  readonly #low: Float64Array

  constructor(count: number) {
    this.#high = new Float64Array(count)
    this.#low = new Float64Array(count)
  }

  /** Adds a product of whole numbers that are not negative. `one` is at most 2^53. All values of `other` in one sum add
   *  up to at most 2^26. */
  addProduct(index: number, one: number, other: number): void {
    const high = Math.floor(one / UNIT)
    this.#high[index]! += high * other
    this.#low[index]! += (one - high * UNIT) * other
  }

  /** Returns the double nearest to a sum divided by a whole number from 1 to 2^53. */
  over(index: number, divisor: number): number {
    const sum = this.#high[index]! * UNIT + this.#low[index]!
    return sum <= Number.MAX_SAFE_INTEGER ? sum / divisor : exactQuotient(this.#total(index), BigInt(divisor))
  }

  /** Returns whether a sum is at least the sum with the same index in `others`. */
  isAtLeast(index: number, others: ExactSums): boolean {
    return (this.#high[index]! - others.#high[index]!) * UNIT >= others.#low[index]! - this.#low[index]!
  }

  clear(index: number): void {
    this.#high[index] = 0
    this.#low[index] = 0
  }

  #total(index: number): bigint {
    return BigInt(this.#high[index]!) * BigInt(UNIT) + BigInt(this.#low[index]!)
  }
}

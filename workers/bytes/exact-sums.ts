// Many sums of products that stay exact, in typed arrays: each a high part, in units of 2^26, and a low part.

import { exactQuotient } from './exact-quotient.ts'

const UNIT = 2 ** 26

export class ExactSums {
  readonly #high: Float64Array
  readonly #low: Float64Array

  constructor(count: number) {
    this.#high = new Float64Array(count)
    this.#low = new Float64Array(count)
  }

  /** Whole numbers from 0 on: `one` up to 2^53, `other` such that all of a sum are 2^26 at most. */
  addProduct(index: number, one: number, other: number): void {
    const high = Math.floor(one / UNIT)
    this.#high[index]! += high * other
    this.#low[index]! += (one - high * UNIT) * other
  }

  /** The double nearest to a sum over a whole number from 1 to 2^53. */
  over(index: number, divisor: number): number {
    const sum = this.#high[index]! * UNIT + this.#low[index]!
    return sum <= Number.MAX_SAFE_INTEGER ? sum / divisor : exactQuotient(this.#total(index), BigInt(divisor))
  }

  /** Whether a sum is not less than that of the same index in others. */
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

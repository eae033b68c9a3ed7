// A sum of whole numbers that stays exact, at the cost of one addition per number.

export class ExactSum {
  #whole = 0n
  #part = 0

  /** Adds a whole number that a double holds exactly. */
  add(value: number): void {
    const sum = this.#part + value
    if (Number.isSafeInteger(sum)) {
      this.#part = sum
      return
    }
    this.#whole += BigInt(this.#part) + BigInt(value)
    this.#part = 0
  }

  /** Adds the product of two whole numbers that doubles hold exactly; a double need not hold the product. */
  addProduct(one: number, other: number): void {
    const product = one * other
    if (Number.isSafeInteger(product)) this.add(product)
    else this.#whole += BigInt(one) * BigInt(other)
  }

  addSum(sum: ExactSum): void {
    this.#whole += sum.#whole
    this.add(sum.#part)
  }

  total(): bigint {
    return this.#whole + BigInt(this.#part)
  }

  /** Returns the double nearest to the sum times 10^-places, for up to 22 places. */
  nearest(places: number): number {
    return this.#whole === 0n ? this.#part / 10 ** places : Number(`${this.total()}e-${places}`)
  }

  clear(): void {
    this.#whole = 0n
    this.#part = 0
  }
}

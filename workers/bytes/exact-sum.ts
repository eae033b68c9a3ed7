// A sum of whole numbers that stays exact, and costs an addition a number.

export class ExactSum {
  #whole = 0n
  #part = 0

  /** A whole number that a double holds exactly. */
  add(value: number): void {
    const sum = this.#part + value
    if (Number.isSafeInteger(sum)) {
      this.#part = sum
      return
    }
    this.#whole += BigInt(this.#part) + BigInt(value)
    this.#part = 0
  }

  total(): bigint {
    return this.#whole + BigInt(this.#part)
  }
}

// Sorts rows by a number; rows with equal numbers keep their order. Rows of an archive are a few ascending runs, one
// per token. The sort merges these runs.

export class AscendingOrder {
  #order = new Uint32Array(0)
  #spare = new Uint32Array(0)
  readonly #runs: number[] = []

  /** Returns the rows 0 to `count` - 1 in order; valid until the next call. */
  of(numbers: Float64Array, count: number): Uint32Array {
    if (this.#order.length < count) {
      this.#order = new Uint32Array(2 * count)
      this.#spare = new Uint32Array(2 * count)
    }
    const runs = this.#runs
    runs.length = 0
    for (let i = 0; i < count; i++) {
      this.#order[i] = i
      if (i === 0 || numbers[i]! < numbers[i - 1]!) runs.push(i)
    }
    while (runs.length > 1) {
      let merged = 0
      for (let run = 0; run < runs.length; run += 2) {
        const start = runs[run]!
        const middle = runs[run + 1] ?? count
        this.#merge(numbers, start, middle, runs[run + 2] ?? count)
        runs[merged++] = start
      }
      runs.length = merged
      ;[this.#order, this.#spare] = [this.#spare, this.#order]
    }
    return this.#order
  }

  #merge(numbers: Float64Array, start: number, middle: number, end: number): void {
    const [from, to] = [this.#order, this.#spare]
    let [left, right] = [start, middle]
    for (let at = start; at < end; at++) {
      const isRight = left === middle || (right < end && numbers[from[right]!]! < numbers[from[left]!]!)
      to[at] = isRight ? from[right++]! : from[left++]!
    }
  }
}

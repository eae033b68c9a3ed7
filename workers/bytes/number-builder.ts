// A growing column of numbers.

import { grown } from './grown.ts'

export class NumberBuilder {
  values = new Float64Array(4)
  count = 0

  /** Removes the values and keeps their memory. */
  clear(): void {
    this.count = 0
  }

  push(value: number): void {
    if (this.count === this.values.length) this.values = grown(this.values)
    this.values[this.count++] = value
  }

  /** Like `push`, for each value. */
  pushAll(values: ArrayLike<number>): void {
    const end = this.count + values.length
    if (end > this.values.length) this.values = grown(this.values, Math.max(end, 2 * this.values.length))
    this.values.set(values, this.count)
    this.count = end
  }

  /** Returns the pushed values, without the spare memory after them. */
  taken(): Float64Array {
    return this.values.subarray(0, this.count)
  }
}

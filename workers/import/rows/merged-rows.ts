// Rows of several slices or runs in the order of their times.

import type { Slice } from './columns.ts'

const NO_TIMES = new Float64Array(0)

/** Stands at one row after the other of some slices. */
export class RowCursor<Of> {
  slice: Slice<Of>
  row = 0
  time = 0
  readonly #slices: Iterator<Slice<Of>>
  readonly #timesOf: (columns: Of) => Float64Array
  /** Of the rows of a slice, from its start on; without it, as they stand. */
  readonly #orderOf: ((slice: Slice<Of>) => Uint32Array) | undefined
  #order: Uint32Array | undefined
  #times: Float64Array = NO_TIMES
  #at = 0

  /** There is a row. */
  constructor(
    slices: Iterator<Slice<Of>>,
    timesOf: (columns: Of) => Float64Array,
    orderOf?: (slice: Slice<Of>) => Uint32Array,
  ) {
    this.#slices = slices
    this.#timesOf = timesOf
    this.#orderOf = orderOf
    this.slice = slices.next().value as Slice<Of>
    this.#begin()
  }

  /** False at the end. */
  next(): boolean {
    if (++this.#at < this.slice.end - this.slice.start) {
      this.#stand()
      return true
    }
    const { value, done } = this.#slices.next()
    if (done === true) return false
    this.slice = value
    this.#begin()
    return true
  }

  #begin(): void {
    this.#times = this.#timesOf(this.slice.columns)
    this.#order = this.#orderOf?.(this.slice)
    this.#at = 0
    this.#stand()
  }

  #stand(): void {
    this.row = this.slice.start + (this.#order === undefined ? this.#at : this.#order[this.#at]!)
    this.time = this.#times[this.row]!
  }
}

/** All rows in ascending order of their times; of equal times, those of the first cursor first. */
export function merge<Of>(cursors: RowCursor<Of>[], tell: (slice: Slice<Of>, row: number) => void): void {
  const standing = [...cursors]
  while (standing.length > 0) {
    let least = standing[0]!
    for (let i = 1; i < standing.length; i++) if (standing[i]!.time < least.time) least = standing[i]!
    tell(least.slice, least.row)
    if (!least.next()) standing.splice(standing.indexOf(least), 1)
  }
}

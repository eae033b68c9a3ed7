// Merges the rows of several slices or runs by time.

import type { Slice } from './columns.ts'

const NO_TIMES = new Float64Array(0)

/** Steps through the rows of several slices. */
export class RowCursor<Of> {
  slice: Slice<Of>
  row = 0
  time = 0
  readonly #slices: Iterator<Slice<Of>>
  readonly #timesOf: (columns: Of) => Float64Array
  /** Returns the order of a slice's rows, as indexes from the start of the slice. If undefined, rows keep their
   *  order. */
  readonly #orderOf: ((slice: Slice<Of>) => Uint32Array) | undefined
  #order: Uint32Array | undefined
  #times: Float64Array = NO_TIMES
  #at = 0

  /** Starts at the first row; there must be one. */
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

  /** Moves to the next row. Returns false at the end. */
  next(): boolean {
    if (++this.#at < this.slice.end - this.slice.start) {
      this.#setRow()
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
    this.#setRow()
  }

  #setRow(): void {
    this.row = this.slice.start + (this.#order === undefined ? this.#at : this.#order[this.#at]!)
    this.time = this.#times[this.row]!
  }
}

/** Emits all rows by ascending time. Rows with equal times are emitted in the order of the cursors. */
export function merge<Of>(cursors: RowCursor<Of>[], onRow: (slice: Slice<Of>, row: number) => void): void {
  const active = [...cursors]
  while (active.length > 0) {
    let least = active[0]!
    for (let i = 1; i < active.length; i++) if (active[i]!.time < least.time) least = active[i]!
    onRow(least.slice, least.row)
    if (!least.next()) active.splice(active.indexOf(least), 1)
  }
}

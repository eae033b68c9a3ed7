// Decides which records of a book open a new quote. Consecutive records of a book with one venue time are one quote; a
// snapshot is always a quote of its own (docs/books.md).

import type { RecordKind } from '../../storage/format/shape.ts'

export class QuoteClock {
  readonly #lastUs: number[]
  readonly #firstUs: number[] = []

  /** `lastUs` is the result of `state` after the earlier records. */
  constructor(lastUs: readonly number[] = []) {
    this.#lastUs = [Number.NaN, ...lastUs]
  }

  /** Returns the venue time of each book's current quote; the index is the book number minus 1. NaN if the book's next
   *  record opens a new quote in any case. */
  state(): number[] {
    return Array.from(this.#lastUs.slice(1), (us) => us ?? Number.NaN)
  }

  /** Returns the venue time of each book's first snapshot, delta or gap; the index is the book number minus 1. NaN if
   *  this record is not a delta or has no time. */
  first(): number[] {
    return Array.from(this.#firstUs.slice(1), (us) => us ?? Number.NaN)
  }

  /** Adds a record and returns whether it opens a quote. `venueUs` is NaN if the record has no venue time: such a
   *  record joins no quote. */
  opensQuote(book: number, kind: RecordKind, venueUs: number): boolean {
    if (kind === 'snapshot' || kind === 'gap') {
      this.#firstUs[book] ??= Number.NaN
      this.#lastUs[book] = Number.NaN
      return kind === 'snapshot'
    }
    if (kind !== 'delta') return false
    this.#firstUs[book] ??= venueUs
    const opens = this.#lastUs[book] !== venueUs
    this.#lastUs[book] = venueUs
    return opens
  }
}

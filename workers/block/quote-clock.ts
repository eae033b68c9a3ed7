// Which book records begin a new quote: consecutive ones of a book with one venue time are one quote, a snapshot is
// always one of its own (docs/books.md).

import type { RecordKind } from '../../storage/format/shape.ts'

export class QuoteClock {
  readonly #lastUs: number[]
  readonly #firstUs: number[] = []

  /** `lastUs` is what `state` gave after the records before. */
  constructor(lastUs: readonly number[] = []) {
    this.#lastUs = [Number.NaN, ...lastUs]
  }

  /** The venue time of the quote that each book is in, by number - 1; NaN where the next record opens another. */
  state(): number[] {
    return Array.from(this.#lastUs.slice(1), (us) => us ?? Number.NaN)
  }

  /** The venue time of each book's first record, by number - 1; NaN where it is no delta, or has no time. */
  first(): number[] {
    return Array.from(this.#firstUs.slice(1), (us) => us ?? Number.NaN)
  }

  /** Takes note of a record. `venueUs` is NaN where the venue gives no time: such a record is never joined. */
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

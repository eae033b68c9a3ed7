// Which book records begin a new quote: consecutive ones of a book with one venue time are one quote, a snapshot is
// always one of its own (CONTRACT: quotes).

import type { RecordKind } from '../../storage/format/shape.ts'

export class QuoteClock {
  #lastUs: number[] = []

  /** Takes note of a record. `venueUs` is NaN where the venue gives no time: such a record is never joined. */
  opensQuote(book: number, kind: RecordKind, venueUs: number): boolean {
    if (kind === 'snapshot' || kind === 'gap') {
      this.#lastUs[book] = Number.NaN
      return kind === 'snapshot'
    }
    if (kind !== 'delta') return false
    const opens = this.#lastUs[book] !== venueUs
    this.#lastUs[book] = venueUs
    return opens
  }
}

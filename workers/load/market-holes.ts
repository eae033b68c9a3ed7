// Finds holes in the book of one market. A hole is a place between two records of the book where the book's
// subscription skips sequence numbers.

import { dateStartMs, utcDate } from '../../storage/units.ts'
import type { SequenceHoles } from '../venues/sequence-holes.ts'

type Hole = { sid: number; fromMs: number; date: string }

export class MarketHoles {
  readonly #holes: SequenceHoles
  readonly #found: Hole[] = []
  /** Last known subscription of the book; -1 before the first. */
  #sid = -1
  /** Number of the subscription's holes found so far. */
  #seen = 0
  #lastMs = Number.NaN

  constructor(holes: SequenceHoles) {
    this.#holes = holes
  }

  /** Notes a record. `sid` is the subscription of a snapshot or delta, else -1; `timeMs` is the record's event time. */
  place(sid: number, message: number, timeMs: number): void {
    if (this.#sid >= 0) this.#note(message, timeMs)
    if (sid >= 0 && sid !== this.#sid) {
      this.#sid = sid
      this.#seen = this.#holes.countUpTo(sid, message)
    }
    this.#lastMs = timeMs
  }

  /** Returns the holes of a date: for each, the event time of the last record before it, or the start of the date if
   *  that is later. Call it at the end of the capture. */
  on(date: string): number[] {
    if (this.#sid >= 0) this.#note(Number.POSITIVE_INFINITY, Number.NaN)
    const startMs = dateStartMs(date)
    const ofDate = this.#found.filter((hole) => hole.date === date && this.#holes.isSound(hole.sid))
    return ofDate.map(({ fromMs }) => Math.max(fromMs, startMs))
  }

  /** Notes the holes up to a message. A hole has the date of the message after it, and that message may be of another
   *  market. */
  #note(message: number, nextMs: number): void {
    const [sid, fromMs] = [this.#sid, this.#lastMs]
    for (; (this.#holes.messageOf(sid, this.#seen + 1) ?? Number.NaN) <= message; this.#seen++) {
      const receivedMs = this.#holes.timeMs(sid, this.#seen + 1)
      const date = utcDate([receivedMs, nextMs, fromMs].find((ms) => !Number.isNaN(ms))!)
      const last = this.#found.at(-1)
      if (last?.fromMs !== fromMs || last.date !== date || last.sid !== sid) this.#found.push({ sid, fromMs, date })
    }
  }
}

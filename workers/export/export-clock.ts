// Computes the two times of each row that other programs use: the venue's time and the receipt time.
//
// The first is the venue's own time, or the event time if the venue has no valid one; it may step back. The second is
// the recorder's clock, or the event time if there is none. Programs process rows in the order of receipt times, and
// Nautilus refuses overlapping files of an instrument. So the second time never steps back and stays within the date.

import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { PresentRecord } from './book-events.ts'

const US_PER_MS = 1_000

export class ExportClock {
  /** The first of the two times of the record set last, in µs. */
  eventUs = 0
  receivedUs: number
  /** Number of records whose receipt time is outside the date, or earlier than that of a previous record. */
  movedTimes = 0
  readonly #lastUs: number
  #record = Number.NaN

  constructor(date: string) {
    this.receivedUs = dateStartMs(date) * US_PER_MS
    this.#lastUs = this.receivedUs + DAY_MS * US_PER_MS - 1
  }

  set({ record, timeMs, venueUs, receivedMs }: PresentRecord): void {
    if (record === this.#record) return
    this.#record = record
    this.eventUs = venueUs >= 0 && venueUs <= Number.MAX_SAFE_INTEGER ? venueUs : timeMs * US_PER_MS
    const unclampedUs = (Number.isNaN(receivedMs) ? timeMs : receivedMs) * US_PER_MS
    this.receivedUs = Math.min(Math.max(unclampedUs, this.receivedUs), this.#lastUs)
    if (this.receivedUs !== unclampedUs) this.movedTimes++
  }

  /** Uses the event time of the record set last, even if the venue has its own. */
  takeEventTime({ timeMs }: PresentRecord): void {
    this.eventUs = timeMs * US_PER_MS
  }

  /** Adds a microsecond, for readers that distinguish records by receipt time. */
  step(): void {
    this.receivedUs = Math.min(this.receivedUs + 1, this.#lastUs)
  }
}

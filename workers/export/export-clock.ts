// The two times that other programs have for each row: when the venue said it, and when it was received.
//
// The first is the venue's own time, or the event time where the venue says none that is one: it may step back. The
// second is the recorder's clock, or the event time where there is none. Rows are taken in its order, and Nautilus
// refuses files of an instrument that overlap, so it never steps back here, and stays within the date.

import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { PresentRecord } from './book-events.ts'

const US_PER_MS = 1_000

export class ExportClock {
  /** Of the record that was set last. */
  eventUs = 0
  receivedUs: number
  /** Records whose receive time is earlier than that of one before, or of another date. */
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
    const heardUs = (Number.isNaN(receivedMs) ? timeMs : receivedMs) * US_PER_MS
    this.receivedUs = Math.min(Math.max(heardUs, this.receivedUs), this.#lastUs)
    if (this.receivedUs !== heardUs) this.movedTimes++
  }

  /** Of the record that was set last, the event time, whatever the venue says. */
  takeEventTime({ timeMs }: PresentRecord): void {
    this.eventUs = timeMs * US_PER_MS
  }

  /** A microsecond later: for who tells records apart by it. */
  step(): void {
    this.receivedUs = Math.min(this.receivedUs + 1, this.#lastUs)
  }
}

// The two times that Nautilus has for each row.
//
// `ts_event` is the venue's own time, or the event time where the venue says none: it may step back. `ts_init` is the
// recorder's clock, or the event time where there is none. Nautilus takes rows in the order of `ts_init` and refuses
// files of an instrument that overlap, so it never steps back here, and stays within the date.

import { DAY_MS, dateStartMs } from '../../../storage/units.ts'
import type { PresentRecord } from '../book-events.ts'

const US_PER_MS = 1_000

export class CatalogClock {
  /** Of the record that was set last. */
  eventUs = 0
  initUs: number
  /** Records whose receive time is earlier than that of one before, or of another date. */
  movedTimes = 0
  readonly #lastUs: number
  #record = Number.NaN

  constructor(date: string) {
    this.initUs = dateStartMs(date) * US_PER_MS
    this.#lastUs = this.initUs + DAY_MS * US_PER_MS - 1
  }

  set({ record, timeMs, venueUs, receivedMs }: PresentRecord): void {
    if (record === this.#record) return
    this.#record = record
    this.eventUs = Number.isNaN(venueUs) ? timeMs * US_PER_MS : venueUs
    const heardUs = (Number.isNaN(receivedMs) ? timeMs : receivedMs) * US_PER_MS
    this.initUs = Math.min(Math.max(heardUs, this.initUs), this.#lastUs)
    if (this.initUs !== heardUs) this.movedTimes++
  }
}

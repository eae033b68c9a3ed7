// Finds captures whose recorder wrote receipt times in a time zone other than UTC, without naming the zone. All
// receipt times then differ from the venue's times by the same number of quarter hours.

import { HOUR_MS, MINUTE_MS } from '../../storage/units.ts'
import { RefusedCapture } from '../venues/refused-capture.ts'

const QUARTER_MS = 15 * MINUTE_MS
/** Messages arrive in less time, and correctly set clocks differ by less. */
const TOLERANCE_MS = MINUTE_MS
const ZONE_QUARTERS_MIN = 4
const ZONE_MAX_MS = 14 * HOUR_MS + TOLERANCE_MS
/** Fewer messages could have the same offset by chance. */
const MESSAGES_MIN = 3

export class ReceiptZone {
  /** Offset of the zone in quarter hours; undefined before the first message, null if it is UTC, or not the same for
   *  all. */
  #quarters: number | null | undefined
  #messages = 0

  /** Notes the two times of a message, Unix ms. NaN is a missing time. */
  note(venueMs: number, receivedMs: number): void {
    const apartMs = receivedMs - venueMs
    if (this.#quarters === null || Number.isNaN(apartMs)) return
    const quarters = Math.round(apartMs / QUARTER_MS)
    const isZone = Math.abs(quarters) >= ZONE_QUARTERS_MIN && Math.abs(apartMs) <= ZONE_MAX_MS
    const isExact = Math.abs(apartMs - quarters * QUARTER_MS) <= TOLERANCE_MS
    this.#messages++
    this.#quarters = isZone && isExact && quarters === (this.#quarters ?? quarters) ? quarters : null
  }

  /** Throws RefusedCapture if the two times of all messages differ by the same offset of a zone. */
  check(): void {
    if (typeof this.#quarters !== 'number' || this.#messages < MESSAGES_MIN) return
    const [hours, minutes] = [Math.floor(Math.abs(this.#quarters) / 4), 15 * (Math.abs(this.#quarters) % 4)]
    const offset = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
    const sign = this.#quarters < 0 ? '-' : '+'
    throw new RefusedCapture(
      `its times of receipt are ${offset} ${sign === '-' ? 'behind' : 'ahead of'} those of the venue in all ` +
        `${this.#messages} messages with both: write them in UTC, or with their zone, as in 2026-08-10T22:30:00${sign}${offset}`,
    )
  }
}

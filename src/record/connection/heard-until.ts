// Tracks the time up to which no message is missing on a socket: by the venue's clock if its messages have a time.

import { CLOCKS_APART_MAX_MS } from '../../../workers/venues/believable-time.ts'

/** Whether a venue time is near enough to this machine's to be believed. */
export const isNear = (venueMs: number, saidMs: number): boolean => Math.abs(venueMs - saidMs) <= CLOCKS_APART_MAX_MS

export class LastReceived {
  /** Time up to which no message is missing, Unix ms. */
  ms: number
  /** Whether `ms` is still the opening time of the socket by this machine's clock. For a replay that is today, unlike
   *  the times of its frames. */
  isOurs = true
  /** Venue time of the current message; NaN without one. */
  venueMs = Number.NaN
  /** Latest time of data in the current frame; -Infinity without data. */
  #dataMs = Number.NEGATIVE_INFINITY

  constructor(openedMs: number) {
    this.ms = openedMs
  }

  beginFrame(): void {
    this.venueMs = Number.NaN
    this.#dataMs = Number.NEGATIVE_INFINITY
  }

  /** Notes a message with data. A message without a venue time is at least as new as `notBeforeMs`. If that is unknown
   *  (NaN), the message proves nothing, because a lost message may have been sent after it but before it was received;
   *  a replay counts it at `saidMs`. */
  data(venueMs: number, notBeforeMs: number, { saidMs, isReplay }: { saidMs: number; isReplay: boolean }): void {
    this.venueMs = isNear(venueMs, saidMs) ? venueMs : Number.NaN
    if (Number.isNaN(notBeforeMs) && !isReplay) return
    this.#dataMs = Math.max(this.#dataMs, isNear(notBeforeMs, saidMs) ? notBeforeMs : saidMs)
  }

  /** Applies the times of the current frame, which is written now. */
  endFrame(isReplay: boolean): void {
    if (this.#dataMs === Number.NEGATIVE_INFINITY) return
    const isFirst = this.isOurs && (isReplay || !Number.isNaN(this.venueMs))
    this.ms = isFirst ? this.#dataMs : Math.max(this.ms, this.#dataMs)
    if (isFirst) this.isOurs = false
  }
}

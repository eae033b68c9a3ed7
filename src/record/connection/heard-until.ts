// Until when nothing is missing on a socket: by the venue's clock where its messages say a time.

import { CLOCKS_APART_MAX_MS } from '../../../workers/venues/believable-time.ts'

/** A venue time further from ours is none. */
export const isNear = (venueMs: number, saidMs: number): boolean => Math.abs(venueMs - saidMs) <= CLOCKS_APART_MAX_MS

export class HeardUntil {
  /** Unix ms. */
  ms: number
  /** Whether it is the opening of the socket, by our clock: that of a replay is of this day, its frames are not. */
  isOurs = true
  /** The venue's time of the message that is read; NaN without one. */
  venueMs = Number.NaN
  /** Of the frame that is read; -Infinity without data. */
  #dataMs = Number.NEGATIVE_INFINITY

  constructor(openedMs: number) {
    this.ms = openedMs
  }

  beginFrame(): void {
    this.venueMs = Number.NaN
    this.#dataMs = Number.NEGATIVE_INFINITY
  }

  /** A message without a time of its own is no older than `notBeforeMs`, NaN where that is not known: then it tells
   *  nothing, since what is lost may have been said after it and before it was received. */
  data(venueMs: number, notBeforeMs: number, { saidMs, isReplay }: { saidMs: number; isReplay: boolean }): void {
    this.venueMs = isNear(venueMs, saidMs) ? venueMs : Number.NaN
    if (Number.isNaN(notBeforeMs) && !isReplay) return
    this.#dataMs = Math.max(this.#dataMs, isNear(notBeforeMs, saidMs) ? notBeforeMs : saidMs)
  }

  /** The frame is written. */
  endFrame(isReplay: boolean): void {
    if (this.#dataMs === Number.NEGATIVE_INFINITY) return
    const isFirst = this.isOurs && (isReplay || !Number.isNaN(this.venueMs))
    this.ms = isFirst ? this.#dataMs : Math.max(this.ms, this.#dataMs)
    if (isFirst) this.isOurs = false
  }
}

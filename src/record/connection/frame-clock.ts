// Stamps each frame with its arrival time, a frame of a stamped replay with its original time, and tracks up to which
// time no message is missing on a socket.

import { NS_PER_MS } from '../../../storage/units.ts'
import { CLOCKS_APART_MAX_MS } from '../../../workers/venues/believable-time.ts'
import { type Clock, msOf } from './clock.ts'
import type { FrameStamp } from './venue-protocol.ts'
import { readStamp } from './web-socket.ts'

export class FrameClock {
  readonly #clock: Clock
  readonly #isReplay: boolean
  /** Stamp of the last frame; before the first, of the opening. */
  last: FrameStamp
  /** The same moment by this machine's clock, Unix ms. */
  machineMs: number

  constructor(clock: Clock, isReplay: boolean) {
    this.#clock = clock
    this.#isReplay = isReplay
    const wallNs = clock.wallNs()
    this.machineMs = msOf(wallNs)
    this.last = { recvNs: wallNs, monoNs: clock.monoNs(), saidMs: this.machineMs }
  }

  /** The current time, Unix ms; for a replay the time of its last frame. */
  get nowMs(): number {
    return this.#isReplay ? this.last.saidMs : msOf(this.#clock.wallNs())
  }

  /** Stamps a frame that has just arrived. Returns its text as the venue sent it, without the stamp of a replay. */
  stamp(frame: string): string {
    const wallNs = this.#clock.wallNs()
    const monoNs = this.#clock.monoNs()
    this.machineMs = msOf(wallNs)
    if (!this.#isReplay) {
      this.last = { recvNs: wallNs, monoNs, saidMs: this.machineMs }
      return frame
    }
    const stamped = readStamp(frame)
    if (stamped === undefined) {
      this.last = { recvNs: null, monoNs, saidMs: this.last.saidMs }
      return frame
    }
    const { text, receivedMs, eventMs } = stamped
    const recvNs = receivedMs === null ? null : BigInt(receivedMs) * NS_PER_MS
    this.last = { recvNs, monoNs, saidMs: receivedMs ?? eventMs }
    return text
  }
}

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

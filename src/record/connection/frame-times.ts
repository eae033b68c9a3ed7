// The times of the frames on a socket. Stamps each frame with its arrival time; in a stamped replay, with its original
// time. Tracks the time up to which no message is missing, by the venue's clock if its messages have a time.

import { NS_PER_MS } from '../../../storage/units.ts'
import { CLOCKS_APART_MAX_MS } from '../../../workers/block/believable-time.ts'
import { type Clock, msOf } from '../time/clock.ts'
import type { FrameStamp } from './venue-protocol.ts'
import { readStamp } from './web-socket.ts'

/** Whether a venue time is believable: near enough to the time at which the frame was sent, both Unix ms. */
export const isNear = (venueMs: number, sentMs: number): boolean => Math.abs(venueMs - sentMs) <= CLOCKS_APART_MAX_MS

export class FrameTimes {
  readonly isReplay: boolean
  /** Stamp of the last frame; before the first frame, the stamp of the opening. */
  last: FrameStamp
  /** The time of `last` by this machine's clock, Unix ms. */
  machineMs: number
  /** Time up to which no message is missing, Unix ms. */
  completeUntilMs: number
  /** Whether `completeUntilMs` is still the opening time of the socket by this machine's clock. In a replay that time
   *  is today, unlike the times of the frames. */
  isOurs = true
  /** Venue time of the current message; NaN without one. */
  venueMs = Number.NaN
  readonly #clock: Clock
  readonly #clockAheadMs: () => number
  /** Latest time of data in the current frame; -Infinity without data. */
  #dataMs = Number.NEGATIVE_INFINITY
  /** `#flushedUntilMs` is `completeUntilMs` at the last complete flush. `#gapFromMs` is the earliest start of the gaps
   *  since then. Unix ms. */
  #flushedUntilMs: number
  #gapFromMs = Number.POSITIVE_INFINITY
  /** Time of the last complete flush by this machine's clock, Unix ms. */
  flushedAtMs: number

  /** `clockAheadMs` returns how far this machine's clock is ahead of the venue's, ms. */
  constructor(clock: Clock, isReplay: boolean, clockAheadMs: () => number) {
    this.#clock = clock
    this.isReplay = isReplay
    this.#clockAheadMs = clockAheadMs
    const wallNs = clock.wallNs()
    this.machineMs = msOf(wallNs)
    this.last = { recvNs: wallNs, monoNs: clock.monoNs(), sentMs: this.machineMs }
    this.completeUntilMs = this.venueNowMs
    this.#flushedUntilMs = this.completeUntilMs
    this.flushedAtMs = this.nowMs
  }

  /** The current time, Unix ms; for a replay the time of its last frame. */
  get nowMs(): number {
    return this.isReplay ? this.last.sentMs : msOf(this.#clock.wallNs())
  }

  /** The current time by the venue's clock as far as known, Unix ms. */
  get venueNowMs(): number {
    return this.nowMs - (this.isReplay ? 0 : this.#clockAheadMs())
  }

  /** Stamps a frame that has just arrived. Returns its text as the venue sent it, without the stamp of a replay. */
  stamp(frame: string): string {
    const wallNs = this.#clock.wallNs()
    const monoNs = this.#clock.monoNs()
    this.machineMs = msOf(wallNs)
    if (!this.isReplay) {
      this.last = { recvNs: wallNs, monoNs, sentMs: this.machineMs }
      return frame
    }
    const stamped = readStamp(frame)
    if (stamped === undefined) {
      this.last = { recvNs: null, monoNs, sentMs: this.last.sentMs }
      return frame
    }
    const { text, receivedMs, eventMs } = stamped
    const recvNs = receivedMs === null ? null : BigInt(receivedMs) * NS_PER_MS
    this.last = { recvNs, monoNs, sentMs: receivedMs ?? eventMs }
    return text
  }

  /** Returns the latest time that a snapshot of the current frame may be stored with, Unix ms. If another book of the
   *  market is stored with its arrival time, this book gets that time too. */
  storedMs(venueMs = Number.NaN): number {
    const receivedMs = this.nowMs
    return isNear(venueMs, receivedMs) ? Math.max(receivedMs, venueMs) : receivedMs
  }

  beginFrame(): void {
    this.venueMs = Number.NaN
    this.#dataMs = Number.NEGATIVE_INFINITY
  }

  /** Notes a message with data, which is at least as new as `notBeforeMs`. If `notBeforeMs` is unknown (NaN), the
   *  message does not advance `completeUntilMs`. The arrival time would be too late: messages that the venue sent
   *  shortly before that time may be lost. In a replay, such a message counts at the time of its frame. */
  data(venueMs: number, notBeforeMs: number): void {
    const { sentMs } = this.last
    this.venueMs = isNear(venueMs, sentMs) ? venueMs : Number.NaN
    if (Number.isNaN(notBeforeMs) && !this.isReplay) return
    this.#dataMs = Math.max(this.#dataMs, isNear(notBeforeMs, sentMs) ? notBeforeMs : sentMs)
  }

  /** Applies the times of the current frame. Called when the frame is written. */
  endFrame(): void {
    if (this.#dataMs === Number.NEGATIVE_INFINITY) return
    const isFirst = this.isOurs && (this.isReplay || !Number.isNaN(this.venueMs))
    this.completeUntilMs = isFirst ? this.#dataMs : Math.max(this.completeUntilMs, this.#dataMs)
    if (isFirst) this.isOurs = false
  }

  /** Notes a gap that is written now. */
  gap(fromMs: number): void {
    this.#gapFromMs = Math.min(this.#gapFromMs, fromMs)
  }

  /** Notes that everything received up to `completeMs` is on the disk. */
  flushed(completeMs: number): void {
    this.#flushedUntilMs = completeMs
    this.flushedAtMs = this.nowMs
    this.#gapFromMs = Number.POSITIVE_INFINITY
  }

  /** Notes that all lines since the last complete flush are lost. */
  dropUnwritten(): void {
    this.#flushedUntilMs = Math.min(this.#flushedUntilMs, this.#gapFromMs)
    this.completeUntilMs = this.#flushedUntilMs
  }
}

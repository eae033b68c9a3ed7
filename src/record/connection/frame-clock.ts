// Stamps each frame with its arrival time; a frame of a stamped replay with its original time.

import { NS_PER_MS } from '../../../storage/units.ts'
import { readStamp } from '../socket/replay-stamp.ts'
import { type Clock, msOf } from './time.ts'
import type { FrameStamp } from './venue-protocol.ts'

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

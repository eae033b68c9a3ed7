// The machine's clocks. The wall clock ticks in milliseconds: between ticks the monotonic clock counts, from a moment
// at which both were read. A difference that grows is either drift, which is followed, or a jump, which is reported.

import { NS_PER_MS } from '../../../storage/units.ts'
import type { Clock } from './time.ts'

/** Smaller differences are within a tick of the wall clock. */
const DRIFT_MS = 2
/** Of two readings between which nothing else ran. */
const AT_ONCE_NS = 100_000n
/** More than fit between two ticks. */
const READINGS_MAX = 20_000

export type ClockReadings = { wallMs(): number; monoNs(): bigint }

export class MachineClock implements Clock {
  readonly #readings: ClockReadings
  /** Wall time less monotonic time. */
  #offsetNs: bigint

  constructor(readings: ClockReadings = { wallMs: Date.now, monoNs: process.hrtime.bigint }) {
    this.#readings = readings
    this.#offsetNs = this.#atTick()
  }

  monoNs(): bigint {
    return this.#readings.monoNs()
  }

  wallNs(): bigint {
    return this.#readings.monoNs() + this.#offsetNs
  }

  /** Follows the wall clock. To be called once a second: by how many ms it went away from the monotonic clock since the
   *  last time, 0 for less than a tick. */
  follow(): number {
    let measuredNs = this.#read().offsetNs
    if (this.#awayMs(measuredNs) <= -DRIFT_MS) measuredNs = this.#atTick()
    const awayMs = this.#awayMs(measuredNs)
    if (awayMs > 0 || awayMs <= -DRIFT_MS) this.#offsetNs = measuredNs
    return Math.abs(awayMs) < DRIFT_MS ? 0 : awayMs
  }

  #awayMs(offsetNs: bigint): number {
    return Number(offsetNs - this.#offsetNs) / 1e6
  }

  /** Too small by as much as the wall clock is past its tick, and by what ran between the readings. */
  #read() {
    const wallNs = BigInt(this.#readings.wallMs()) * NS_PER_MS
    const monoNs = this.#readings.monoNs()
    return { wallNs, monoNs, offsetNs: wallNs - monoNs }
  }

  /** Reads until the wall clock ticks; of all that was read the greatest is the nearest. */
  #atTick(): bigint {
    let last = this.#read()
    let greatestNs = last.offsetNs
    for (let i = 0; i < READINGS_MAX; i++) {
      const read = this.#read()
      if (read.offsetNs > greatestNs) greatestNs = read.offsetNs
      if (read.wallNs !== last.wallNs && read.monoNs - last.monoNs <= AT_ONCE_NS) break
      last = read
    }
    return greatestNs
  }
}

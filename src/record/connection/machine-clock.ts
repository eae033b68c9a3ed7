// The machine's clocks. The wall clock ticks in milliseconds: between ticks the monotonic clock counts, from a moment
// at which both were read. A difference that grows is either drift, which is followed, or a jump, which is reported.

import { NS_PER_MS } from '../../../storage/units.ts'
import type { Clock } from './time.ts'

/** Smaller differences are within a tick of the wall clock. */
const DRIFT_MS = 2
/** Of these pairs the one counts that was read in the shortest time: others may run between the two readings. */
const PAIRS_MAX = 5
const AT_ONCE_NS = 100_000n

export type ClockReadings = { wallMs(): number; monoNs(): bigint }

export class MachineClock implements Clock {
  readonly #readings: ClockReadings
  /** Wall time less monotonic time. */
  #offsetNs: bigint

  constructor(readings: ClockReadings = { wallMs: Date.now, monoNs: process.hrtime.bigint }) {
    this.#readings = readings
    this.#offsetNs = this.#measuredOffset()
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
    const measured = this.#measuredOffset()
    const differenceMs = Number(measured - this.#offsetNs) / 1e6
    if (Math.abs(differenceMs) < DRIFT_MS) return 0
    this.#offsetNs = measured
    return differenceMs
  }

  #measuredOffset(): bigint {
    let offsetNs = 0n
    let shortestNs: bigint | undefined
    for (let i = 0; i < PAIRS_MAX && (shortestNs === undefined || shortestNs > AT_ONCE_NS); i++) {
      const monoNs = this.#readings.monoNs()
      const wallNs = BigInt(this.#readings.wallMs()) * NS_PER_MS
      const tookNs = this.#readings.monoNs() - monoNs
      if (shortestNs !== undefined && shortestNs <= tookNs) continue
      shortestNs = tookNs
      offsetNs = wallNs - monoNs
    }
    return offsetNs
  }
}

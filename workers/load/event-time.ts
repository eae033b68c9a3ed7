// Event time (docs/time-and-order.md): the venue's time if it is plausible, else the recorder's. Within a market it
// never decreases, unless the capture steps back by more than a minute.

import { DAY_MS } from '../../storage/units.ts'
import { CLOCKS_APART_MAX_MS } from '../block/believable-time.ts'
import { RefusedCapture } from '../venues/refused-capture.ts'

const JITTER_MAX_MS = 60_000
const NEXT_RECORD_MAX_MS = 60_000

/** Thrown if this machine's clock is wrong: the venue and the recorder agree on a time more than a day ahead of it. */
export class WrongClock extends RefusedCapture {
  constructor(venueMs: number, loadingMs: number) {
    const [recordsTime, now] = [venueMs, loadingMs].map((ms) => new Date(ms).toISOString())
    super(`its records are of ${recordsTime}, more than a day after the clock of this machine, which says ${now}`)
  }
}

/** Throws WrongClock if both times are known, agree, and are more than a day after the time of loading. */
export function checkClock(venueMs: number, receivedMs: number, loadingMs: number): void {
  const isAhead = venueMs > loadingMs + DAY_MS && Math.abs(venueMs - receivedMs) <= CLOCKS_APART_MAX_MS
  if (isAhead) throw new WrongClock(venueMs, loadingMs)
}

/** Returns the event time of a record whose own time is not plausible; its receipt time is known. `nextMs` is the venue
 *  time of the market's next record with a plausible time; NaN if there is none. */
export function inferredTimeMs(receivedMs: number, nextMs: number): number {
  return receivedMs - nextMs <= NEXT_RECORD_MAX_MS ? Math.min(receivedMs, nextMs) : receivedMs
}

/** Tracks the running maximum of one market's event times, in capture order. */
export class RunningTime {
  #maxMs = Number.NEGATIVE_INFINITY

  get latestMs(): number {
    return this.#maxMs
  }

  /** Returns the event time of the next record. A small step back counts as jitter; a large step starts a new run. */
  next(timeMs: number): number {
    if (timeMs > this.#maxMs || timeMs < this.#maxMs - JITTER_MAX_MS) this.#maxMs = timeMs
    return this.#maxMs
  }
}

// Event time (docs/time-and-order.md): the venue's where it can be believed, else the recorder's; never earlier than
// the record before it in the same market, unless the capture steps back for good.

import { DAY_MS } from '../../storage/units.ts'
import { CLOCKS_APART_MAX_MS } from '../venues/believable-time.ts'
import { RefusedCapture } from '../venues/refused-capture.ts'

const JITTER_MAX_MS = 60_000
const NEXT_RECORD_MAX_MS = 60_000

/** This machine's clock is wrong: the venue and the recorder agree on a time that it has not reached. */
export class WrongClock extends RefusedCapture {
  constructor(venueMs: number, loadingMs: number) {
    const [said, now] = [venueMs, loadingMs].map((ms) => new Date(ms).toISOString())
    super(`its records are of ${said}, more than a day after the clock of this machine, which says ${now}`)
  }
}

/** Throws WrongClock where both times are known, agree, and lie more than a day after the moment of loading. */
export function checkClock(venueMs: number, receivedMs: number, loadingMs: number): void {
  const isAhead = venueMs > loadingMs + DAY_MS && Math.abs(venueMs - receivedMs) <= CLOCKS_APART_MAX_MS
  if (isAhead) throw new WrongClock(venueMs, loadingMs)
}

/** The time of a record whose own is not believed, received at a known time. `nextMs` is the venue time of the next
 *  record of the market whose own time is believed; NaN where none follows. */
export function inferredTimeMs(receivedMs: number, nextMs: number): number {
  return receivedMs - nextMs <= NEXT_RECORD_MAX_MS ? Math.min(receivedMs, nextMs) : receivedMs
}

/** The running maximum of one market's records in capture order. */
export class RunningTime {
  #maxMs = Number.NEGATIVE_INFINITY

  get latestMs(): number {
    return this.#maxMs
  }

  /** The event time of the next record: a small step back is jitter, a large one begins a new run. */
  next(timeMs: number): number {
    if (timeMs > this.#maxMs || timeMs < this.#maxMs - JITTER_MAX_MS) this.#maxMs = timeMs
    return this.#maxMs
  }
}

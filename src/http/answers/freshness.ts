// How long a client may keep an answer: Cache-Control (RFC 9111). An answer is the business of one client alone, so no
// cache that is shared may keep it. What is not said here is `no-store`, which http/edge-handler.ts puts on everything
// else.

import { DAY_MS, utcDate } from '../../../storage/units.ts'

export type Freshness = 'private, no-cache' | 'private, max-age=3600'

/** To be asked for again each time, which costs a 304 where nothing has changed. */
export const ASK_AGAIN: Freshness = 'private, no-cache'
/** Captures of a past day can still be loaded: then it is seen within the hour. */
const SETTLED: Freshness = 'private, max-age=3600'

/** Of a window that ends with `toMs`. Settled are windows that something is stored of and that have been over for a
 *  day: what is recorded now may still be waiting to be loaded. `stamps` are the catalogue's, of each market. */
export function freshnessOf(toMs: number, nowMs: number, stamps: readonly string[]): Freshness {
  if (toMs >= nowMs - DAY_MS) return ASK_AGAIN
  const haveData = stamps.every((stamp) => stamp !== '' && stamp.slice(0, 10) <= utcDate(toMs))
  return haveData ? SETTLED : ASK_AGAIN
}

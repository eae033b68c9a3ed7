// Cache-Control of the answers that a client may cache (RFC 9111). They are private to the client, so shared caches
// must not store them. All other answers are `no-store`, which http/edge-handler.ts adds.

import { DAY_MS, utcDate } from '../../../storage/units.ts'

export type Freshness = 'private, no-cache' | 'private, max-age=3600'

/** Revalidate each time, which costs a 304 if nothing has changed. */
export const ASK_AGAIN: Freshness = 'private, no-cache'
/** Captures of a past day can still be loaded. So clients cache an answer about it for at most an hour. */
const SETTLED: Freshness = 'private, max-age=3600'

/** Returns the freshness of an answer for a window that ends at `toMs`. A window is settled if it has stored data and
 *  ended at least a day ago: records of the last day may still be waiting to be loaded. `stamps` are the stamps from
 *  the catalogue, one per market. */
export function freshnessOf(toMs: number, nowMs: number, stamps: readonly string[]): Freshness {
  if (toMs >= nowMs - DAY_MS) return ASK_AGAIN
  const haveData = stamps.every((stamp) => stamp !== '' && stamp.slice(0, 10) <= utcDate(toMs))
  return haveData ? SETTLED : ASK_AGAIN
}

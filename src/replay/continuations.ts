// Remembers the place of replays that were disconnected by a gap. A client that reconnects within a minute continues
// there, as it would at the venue.

import { LRUCache } from 'lru-cache'
import type { Beginning } from './market-records.ts'

const RETENTION_MS = 60_000
const PLACES_MAX = 2_000

/** The place of a disconnected replay. */
export type Left = {
  /** Where each market continues, by venue and market. */
  markets: ReadonlyMap<string, Beginning>
  /** The current time of the replay, Unix ms. */
  presentMs: number
  /** Ties the two clocks: when the timers show `nowMs`, the replay's time is `replayMs`, Unix ms. Null at speed 0 and
   *  before the replay begins. */
  anchor: { nowMs: number; replayMs: number } | null
}

export const marketKey = ({ venue, market }: { venue: string; market: string }) => `${venue} ${market}`

/** Places by client (a key or an address) and target (the requested path and query). */
export const continuations = (now: () => number) =>
  new LRUCache<string, Left>({ max: PLACES_MAX, ttl: RETENTION_MS, ttlResolution: 0, perf: { now } })

export const placeName = (client: string, target: string) => JSON.stringify([client, target])

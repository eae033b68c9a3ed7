// Starts discovery as configured: for each venue the named markets, and those that its REST finds.

import type { Venue } from '../../../storage/venue.ts'
import type { RecordConfig } from '../config/read-record-config.ts'
import type { RestHost } from '../rest/rest-host.ts'
import { KalshiFinder, namedTickers } from './kalshi-finder.ts'
import { namedTokens, PolymarketFinder } from './polymarket-finder.ts'
import { type DiscoveryOptions, VenueDiscovery } from './venue-discovery.ts'
import { namedOnly } from './venue-finder.ts'

/** REST servers for discovery. All requests to one share a rate limit. Null if it is not used. */
export type DiscoveryHosts = { gamma: RestHost | null; kalshi: RestHost | null }

export type Discovery = {
  /** Reports a market that a socket mentioned, by condition id or ticker. Discovery requests it over REST before it
   *  acts. */
  hint(venue: Venue, market: string, kind: 'new' | 'over'): void
  /** Offers again the markets that the recorder did not take. */
  offer(): void
  /** Resolves when every request was made once and none is open. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Starts discovery. Named markets, and those known before a restart, are offered to the recorder before this
 *  returns. */
export function startDiscovery(config: RecordConfig, hosts: DiscoveryHosts, options: DiscoveryOptions): Discovery {
  const { polymarket, kalshi } = config
  const venues: VenueDiscovery[] = []
  if (polymarket !== null) {
    const pace = { ...polymarket, hydration: POLYMARKET_HYDRATION }
    const finder =
      hosts.gamma === null
        ? namedOnly('polymarket', namedTokens(polymarket))
        : new PolymarketFinder(polymarket, hosts.gamma)
    venues.push(new VenueDiscovery(finder, pace, options))
  }
  if (kalshi !== null) {
    const pace = { ...kalshi, hydration: KALSHI_HYDRATION }
    const finder =
      hosts.kalshi === null ? namedOnly('kalshi', namedTickers(kalshi)) : new KalshiFinder(kalshi, hosts.kalshi)
    venues.push(new VenueDiscovery(finder, pace, options))
  }
  for (const venue of venues) venue.start()
  return {
    hint: (venue, market, kind) => venues.find((each) => each.venue === venue)?.hint(market, kind),
    offer() {
      for (const venue of venues) venue.offer()
    },
    settled: async () => void (await Promise.all(venues.map((each) => each.settled()))),
    stop: async () => void (await Promise.all(venues.map((each) => each.stop()))),
  }
}

/** A market of Polymarket may be without tokens for minutes. */
const POLYMARKET_HYDRATION = { attempts: 12, fromMs: 5_000, toMs: 15_000 }
/** A market that was just announced may not be listed at once. */
const KALSHI_HYDRATION = { attempts: 5, fromMs: 2_000, toMs: 10_000 }

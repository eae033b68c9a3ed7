// Discovery as the configuration wants it: of each venue what is named, and what its REST finds.

import type { Venue } from '../../../storage/venue.ts'
import type { RecordConfig } from '../config/record-config.ts'
import type { RestHost } from '../rest/rest-host.ts'
import { KalshiFinder, namedTickers } from './kalshi-finder.ts'
import { namedTokens, PolymarketFinder } from './polymarket-finder.ts'
import { type DiscoveryOptions, type DiscoveryPace, VenueDiscovery } from './venue-discovery.ts'
import { namedOnly } from './venue-finder.ts'

/** Requests to each share a rate. Null where it is not asked. */
export type DiscoveryHosts = { gamma: RestHost | null; kalshi: RestHost | null }

export type Discovery = {
  /** The sockets heard of a market: a condition id or a ticker. REST is asked before anything follows from it. */
  hint(venue: Venue, market: string, kind: 'new' | 'over'): void
  /** Wants again what was not taken. */
  offer(): void
  /** Everything was asked once, and no question is open. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Named markets, and those that were known before a restart, are wanted before this returns. */
export function startDiscovery(config: RecordConfig, hosts: DiscoveryHosts, options: DiscoveryOptions): Discovery {
  const { polymarket, kalshi } = config
  const venues: VenueDiscovery[] = []
  if (polymarket !== null) {
    const pace = { ...paceOf(polymarket), aheadMs: Number.POSITIVE_INFINITY, hydration: POLYMARKET_HYDRATION }
    const finder =
      hosts.gamma === null
        ? namedOnly('polymarket', namedTokens(polymarket))
        : new PolymarketFinder(polymarket, hosts.gamma)
    venues.push(new VenueDiscovery(finder, pace, options))
  }
  if (kalshi !== null) {
    const pace = { ...paceOf(kalshi), aheadMs: kalshi.aheadMs, hydration: KALSHI_HYDRATION }
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

type Paced = { marketsMax: number; keepMs: number; resolvedMs: number; scanMs: number }

const paceOf = ({ marketsMax, keepMs, resolvedMs, scanMs }: Paced): Pick<DiscoveryPace, keyof Paced> => {
  return { marketsMax, keepMs, resolvedMs, scanMs }
}

/** A market of Polymarket may be without tokens for minutes. */
const POLYMARKET_HYDRATION = { attempts: 12, fromMs: 5_000, toMs: 15_000 }
/** A market that was just announced may not be listed at once. */
const KALSHI_HYDRATION = { attempts: 5, fromMs: 2_000, toMs: 10_000 }

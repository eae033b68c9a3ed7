// Starts to look for markets of all venues: those that the configuration names, and those that REST lists.

import type { Venue } from '../../../storage/venue.ts'
import type { OpenedVenue } from './recorded-venue.ts'
import { type DiscoveryConfig, type DiscoveryOptions, VenueDiscovery } from './venue-discovery.ts'

export type Discovery = {
  /** Reports the id of a market that a socket mentioned. Discovery requests the market over REST before it acts. */
  hint(venue: Venue, market: string, kind: 'new' | 'over'): void
  /** Offers again the markets that the recorder did not take. */
  offer(): void
  /** Resolves when every request was made once and none is open. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** How often a venue's markets are requested, and what finds them. */
export type FoundVenue = { config: DiscoveryConfig } & Pick<OpenedVenue, 'finder' | 'hydration'>

/** Starts discovery. Named markets, and those known before a restart, are offered to the recorder before this
 *  returns. */
export function startDiscovery(found: readonly FoundVenue[], options: DiscoveryOptions): Discovery {
  const venues = found.map(
    ({ config, finder, hydration }) => new VenueDiscovery(finder, { ...config, hydration }, options),
  )
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

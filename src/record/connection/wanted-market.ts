// What discovery wants recorded, and how it says so.

import type { Venue } from '../../../storage/venue.ts'
import type { BookId } from './venue-protocol.ts'

export type WantedMarket = {
  venue: Venue
  /** Condition id, or ticker. Null for tokens that were named without their market. */
  market: string | null
  /** Both tokens of a market of Polymarket, which share a connection; the ticker of Kalshi. */
  books: readonly BookId[]
}

/** The recorder, as discovery sees it. Saying a thing twice changes nothing. */
export interface MarketSink {
  /** Markets that are to be recorded from now on. Returns those that were not taken, since a limit is reached. */
  want(markets: readonly WantedMarket[]): WantedMarket[]
  /** Markets that are over: their books are unsubscribed. */
  unwant(venue: Venue, books: readonly BookId[]): void
}

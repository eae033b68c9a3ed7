// The interface through which discovery tells the recorder which markets to record.

import type { Venue } from '../../../storage/venue.ts'
import type { BookId } from './venue-protocol.ts'

export type WantedMarket = {
  venue: Venue
  /** Condition id, or ticker. Null for tokens that are configured without their market. */
  market: string | null
  /** Both tokens of a Polymarket market, which share a connection; the ticker on Kalshi. */
  books: readonly BookId[]
}

/** The recorder, as discovery sees it. Repeated calls have no further effect. */
export interface MarketSink {
  /** Records these markets from now on. Returns those that were not taken, because a limit is reached. */
  want(markets: readonly WantedMarket[]): WantedMarket[]
  /** Unsubscribes the books of markets that are over. */
  unwant(venue: Venue, books: readonly BookId[]): void
}

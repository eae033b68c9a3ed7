// Kalshi: a market is a ticker, and has one book. An event is a ticker, too.

import type { Identity } from './identity.ts'

/** Matches the tickers of markets and events that can be stored. */
export const TICKER = /^[A-Za-z0-9._-]{1,128}$/

export const KALSHI: Identity = {
  label: 'Kalshi',
  hasAssets: false,
  idField: 'market_ticker',
  bookField: 'ticker',
  hasSequence: true,
  isMarket: (id) => TICKER.test(id),
  canonical: (ticker) => ticker.toUpperCase(),
  canonicalEvent: (ticker) => ticker.toUpperCase(),
}

// The explorer's settings for Kalshi.

import { path, type ShownVenue } from './shown-venue.ts'

export const KALSHI: ShownVenue = {
  label: 'Kalshi',
  site: 'kalshi.com',
  pathOf: ({ event }) => (event === null ? null : path('markets', event.id.toLowerCase())),
  idParameter: 'ticker',
  listParameter: 'tickers',
  hasAssets: false,
  hasHashes: false,
  rawFromDate: null,
  canonical: (ticker) => ticker.toUpperCase(),
}

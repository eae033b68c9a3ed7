// Describes Kalshi to the API: a ticker names a market, and each market has one book.

import type { ApiVenue } from './api-venue.ts'

const TICKER = 'KXDEMODAY-26JUL20-T50'
const ALPHABET = 'letters, digits, "-", "." and "_"'
const ACCEPTS = `1 to 128 characters of ${ALPHABET}`

const normalize = (given: string): string => given.toUpperCase()

export const KALSHI = {
  idParameter: 'ticker' as const,
  listParameter: 'tickers',
  id: {
    pattern: '[A-Za-z0-9._-]{1,128}',
    accepts: ACCEPTS,
    description: 'The ticker of the market, in upper or lower case',
    example: TICKER,
  },
  prefix: {
    pattern: '[A-Za-z0-9._-]{0,128}',
    accepts: `up to 128 characters of ${ALPHABET}`,
    description: 'Only markets whose ticker begins with this; all if empty',
  },
  list: { accepts: ACCEPTS, description: 'Markets, at most {max}, with commas between' },
  idWord: 'TICKER',
  eventWord: 'TICKER',
  normalizeId: normalize,
  normalizePrefix: normalize,
  rawFromDate: null,
  hasRootPaths: false,
  about: 'Markets of Kalshi: a ticker, which is its only book',
  words: {
    market: 'The ticker, in upper case',
    book: 'The market, in upper case',
    price: 'Dollars (0 to 1) of YES',
    side: 'What the taker did with YES: taking NO is selling YES; null if the venue does not say',
    tradeId: "The venue's id of the trade; null without one",
  },
  examples: {
    market: TICKER,
    book: TICKER,
    tradeId: '7d1b2c9e-4c2e-4a57-9b3a-0f6d3c1e5a88',
  },
  incidents: [
    {
      name: 'parser_issue',
      from: '2026-03-31',
      to: '2026-04-24',
      note: 'Records can carry null prices: buckets then show a quote_count but no bid, ask, midpoint or spread.',
    },
    {
      name: 'storage_ingestion_gap',
      from: '2026-05-04',
      to: '2026-05-11',
      note: 'Records can be missing, or whole days of them.',
    },
  ],
} satisfies ApiVenue

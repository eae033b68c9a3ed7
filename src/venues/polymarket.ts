// Describes Polymarket to the API: a condition id names a market, and a token names each of its books.

import type { ApiVenue } from './api-venue.ts'

const MARKET = '0x2f76fb52ee6a1cff1c2c8d816dbe6c26c074f0a0deb07f19631f265ce2b8cea8'
/** A token of the demo of 2026-07-20. */
const TOKEN = '101053254188447319522872887442983442373618745320910596389983414742954565898320'

const normalize = (given: string): string => `0x${given.replace(/^0x/i, '').toLowerCase()}`

export const POLYMARKET = {
  idParameter: 'condition_id' as const,
  listParameter: 'books',
  id: {
    pattern: '(?:0[xX])?[0-9a-fA-F]{64}',
    accepts: '64 hexadecimal digits, with or without 0x',
    description: 'The condition id of the market',
    example: MARKET,
  },
  prefix: {
    pattern: '(?:0[xX])?[0-9a-fA-F]{0,64}',
    accepts: 'up to 64 hexadecimal digits, with or without 0x',
    description: 'Only markets whose id begins with this; all if empty',
  },
  list: {
    accepts: 'CONDITION:ASSET, which are 64 hexadecimal digits, with or without 0x, and up to 78 decimal digits',
    description: 'Books, each a condition id, a colon and an outcome token: at most {max}, with commas between',
  },
  idWord: 'CONDITION, which is 64 hexadecimal digits, with or without 0x',
  eventWord: 'SLUG',
  normalizeId: normalize,
  normalizePrefix: normalize,
  rawFromDate: '2026-02-08',
  hasRootPaths: true,
  about: 'Markets of Polymarket: a condition id, and an outcome token for each book',
  words: {
    market: 'The condition id, with 0x and in lower case',
    book: 'The outcome token, decimal digits',
    price: 'Dollars (0 to 1)',
    side: 'What the taker did with the token; null if the venue does not say',
    tradeId: 'Hash of the transaction, which several trades may share; null without',
  },
  examples: {
    market: MARKET,
    book: TOKEN,
    tradeId: `0x${'3f'.repeat(32)}`,
  },
  incidents: [
    {
      name: 'capture_gap_windows',
      from: '2026-04-01',
      to: '2026-04-30',
      note: 'Windows of this month were not captured; their exact times are not known.',
    },
  ],
} satisfies ApiVenue

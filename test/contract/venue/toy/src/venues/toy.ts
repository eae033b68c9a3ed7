// The made-up venue in the API.

import type { ApiVenue } from './api-venue.ts'

const CONTRACT = 'Tide-17x'
const ACCEPTS = 'a name, a dash and a number, such as Tide-17x'
const unchanged = (given: string): string => given

export const TOY = {
  idParameter: 'contract' as const,
  listParameter: 'contracts',
  id: {
    pattern: '[A-Z][a-z]{1,20}-[0-9]{1,4}[a-z]?',
    accepts: ACCEPTS,
    description: 'The contract, in its own case',
    example: CONTRACT,
  },
  prefix: { pattern: '[A-Za-z0-9-]{0,26}', accepts: 'the beginning of a contract', description: 'Only such contracts' },
  list: { accepts: ACCEPTS, description: 'Contracts, at most {max}, with commas between' },
  idWord: 'CONTRACT',
  eventWord: 'GROUP',
  normalizeId: unchanged,
  normalizePrefix: unchanged,
  rawFromDate: null,
  hasRootPaths: false,
  about: 'Contracts of the made-up venue, each with one book',
  words: {
    market: 'The contract',
    book: 'The contract',
    price: 'Dollars (0 to 1)',
    side: 'What the taker did; null if the venue does not say',
    tradeId: "The venue's id of the deal",
  },
  examples: { market: CONTRACT, book: CONTRACT, tradeId: 'd-1' },
  incidents: [],
} satisfies ApiVenue

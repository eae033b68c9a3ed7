// The made-up venue. A market is a contract such as Tide-17x and has one book. Letters of its name keep their case.

import type { Identity } from './identity.ts'

const CONTRACT = /^[A-Z][a-z]{1,20}-\d{1,4}[a-z]?$/

export const TOY: Identity = {
  label: 'Toy',
  hasAssets: false,
  idField: 'market_contract',
  bookField: 'contract',
  hasSequence: false,
  isMarket: (id) => CONTRACT.test(id),
  canonical: (contract) => contract,
  canonicalEvent: (group) => group,
}

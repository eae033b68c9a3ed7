// Polymarket: a market is a condition id, and each of its outcome tokens has a book. An event is a slug.

import type { Identity } from './identity.ts'

/** Matches the ids of markets that can be stored. */
export const CONDITION_ID = /^0x[0-9a-fA-F]{64}$/

export const POLYMARKET: Identity = {
  label: 'Polymarket',
  hasAssets: true,
  idField: 'market_condition_id',
  bookField: 'asset_id',
  hasSequence: false,
  isMarket: (id) => CONDITION_ID.test(id),
  canonical: (id) => id.toLowerCase(),
  canonicalEvent: (slug) => slug,
}

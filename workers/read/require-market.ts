// Checks the condition that all requests about a market share: the market is stored.

import { DataError } from '../../storage/failures.ts'
import type { Store } from '../../storage/open-store.ts'
import type { Venue } from '../../storage/venue.ts'

/** Throws DataError('market_not_stored') if the store has nothing of the market. */
export async function requireMarket(store: Store, { venue, market }: { venue: Venue; market: string }): Promise<void> {
  if ((await store.catalogue.market(venue, market)) !== undefined) return
  throw new DataError('market_not_stored', `Nothing is stored of the ${venue} market ${market}`)
}

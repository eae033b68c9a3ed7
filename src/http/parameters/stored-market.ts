// Whether something is stored of a market at all: checked by the endpoints that need it to be, and asked for the counts
// of requests by market.

import type { Catalogue } from '../../../storage/catalogue.ts'
import { DataError } from '../../../storage/failures.ts'
import type { StoredMarket } from '../../accounts/usage/usage-store.ts'
import { MOUNTS, type VenueParameters } from './venue-parameters.ts'

/** Throws DataError('market_not_stored'). */
export async function assertStored(
  catalogue: Pick<Catalogue, 'market'>,
  parameters: VenueParameters,
  market: string,
): Promise<void> {
  if ((await catalogue.market(parameters.venue, market)) === undefined) throw marketNotStored(parameters, market)
}

export function marketNotStored({ venue, idParameter }: VenueParameters, market: string): DataError {
  const message = `Nothing is stored of the ${venue} market with ${idParameter} ${market}: see market/list for what is`
  return new DataError('market_not_stored', message)
}

export const storedMarketIn =
  (catalogue: Pick<Catalogue, 'market'>): StoredMarket =>
  async (venue, given) => {
    const { parameters } = MOUNTS.find((mount) => mount.parameters.venue === venue)!
    const market = parameters.normalizeId(given)
    return (await catalogue.market(venue, market)) === undefined ? null : market
  }

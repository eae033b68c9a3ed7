// The check that something is stored of a market at all, shared by the endpoints that need it to be.

import type { Catalogue } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'
import type { VenueParameters } from './venue-parameters.ts'

/** Throws DataError('market_not_stored'). */
export function assertStored(
  catalogue: Pick<Catalogue, 'market'>,
  { venue, idParameter }: VenueParameters,
  market: string,
): void {
  if (catalogue.market(venue, market) !== undefined) return
  const message = `Nothing is stored of the ${venue} market with ${idParameter} ${market}: see market/list for what is`
  throw new DataError('market_not_stored', message)
}

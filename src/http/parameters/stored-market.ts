// Checks whether a market has stored data: for endpoints that require it, and for request counts by market.

import type { Catalogue } from '../../../storage/catalogue.ts'
import { DataError } from '../../../storage/failures.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { StoredMarket } from '../../accounts/usage/usage-store.ts'
import { PARAMETERS, type VenueParameters } from './venue-parameters.ts'

/** Throws DataError('market_not_stored') if `catalogue` lacks the market. If a source is requested, the caller limits
 *  `catalogue` to it and names it in `source`. */
export async function assertStored(
  catalogue: Pick<Catalogue, 'market' | 'markets'>,
  parameters: VenueParameters,
  market: string,
  source?: string,
): Promise<void> {
  if ((await catalogue.market(parameters.venue, market)) !== undefined) return
  throw await marketNotStored(catalogue, parameters, market, source)
}

export async function marketNotStored(
  catalogue: Pick<Catalogue, 'markets'>,
  { venue, idParameter }: VenueParameters,
  market: string,
  source?: string,
): Promise<DataError> {
  const [from, instead] =
    source === undefined
      ? ['', (await longerMarket(catalogue, venue, market)) ?? 'see market/list for what is']
      : [` from the source ${source}`, 'see market/coverage for its sources']
  return new DataError(
    'market_not_stored',
    `Nothing is stored of the ${venue} market with ${idParameter} ${market}${from}: ${instead}`,
  )
}

/** Suggests a stored market whose id is the given id, a hyphen and more text; undefined if there is none. */
export async function longerMarket(
  catalogue: Pick<Catalogue, 'markets'>,
  venue: Venue,
  market: string,
): Promise<string | undefined> {
  const prefix = `${market}-`
  const { markets, totalCount } = await catalogue.markets(venue, { prefix, offset: 0, limit: 1 })
  if (markets[0] === undefined) return undefined
  const more = totalCount === 1 ? '' : ` ${totalCount} stored markets begin with ${prefix}: see market/list`
  return `did you mean ${markets[0]}?${more}`
}

export const storedMarketIn =
  (catalogue: Pick<Catalogue, 'market'>): StoredMarket =>
  async (venue, given) => {
    const market = PARAMETERS[venue].normalizeId(given)
    return (await catalogue.market(venue, market)) === undefined ? null : market
  }

// Markets of both venues in one parameter, each with its venue before it: `kalshi:TICKER,polymarket:0x…`. Or all of an
// event.

import type { Catalogue } from '../../../storage/catalogue.ts'
import type { Venue } from '../../../storage/venue.ts'
import { parametersInvalid, quoted, RequestFailure } from '../server/request-failure.ts'
import { listOf, type Parameter, patternText } from './parameter.ts'
import { assertStored } from './stored-market.ts'
import { MOUNTS, type VenueParameters } from './venue-parameters.ts'

export const VENUE_MARKETS_MAX = 200

export type VenueMarket = { venue: Venue; market: string }

export const VENUE_MARKETS: Readonly<Record<'markets' | 'event', Parameter>> = {
  markets: listOf(
    {
      entry: '(?:kalshi:[A-Za-z0-9._-]{1,128}|polymarket:(?:0[xX])?[0-9a-fA-F]{64})',
      ...{ plural: 'markets', max: VENUE_MARKETS_MAX },
      accepts: 'kalshi:TICKER or polymarket:CONDITION, which is 64 hexadecimal digits, with or without 0x',
    },
    {
      description: `Markets of both venues, at most ${VENUE_MARKETS_MAX}, with commas between`,
      example: 'kalshi:KXDEMODAY-26JUL20-T50',
    },
  ),
  event: patternText(/^(?:kalshi|polymarket):[!-~]{1,200}$/, 'kalshi:TICKER or polymarket:SLUG', {
    description: 'An event instead of a list: all of its markets',
  }),
}

type Query = Readonly<Partial<Record<'markets' | 'event', string>>>

/** In the order asked, each once, all of them stored; of an event those that are. Throws RequestFailure. */
export async function venueMarketsAsked(
  query: Query,
  catalogue: Pick<Catalogue, 'event' | 'market' | 'markets'>,
): Promise<VenueMarket[]> {
  const named = await venueMarketsNamed(query, catalogue)
  const { event } = query
  const stored: VenueMarket[] = []
  for (const { venue, market } of named) {
    const { parameters } = MOUNTS.find((mount) => mount.parameters.venue === venue)!
    if (event === undefined) await assertStored(catalogue, parameters, market)
    if (event === undefined || (await catalogue.market(venue, market)) !== undefined) stored.push({ venue, market })
  }
  if (stored.length > 0) return stored
  const message = `No market of the event ${quoted(event)} is stored, as far as loaded metadata tells`
  throw new RequestFailure('event_not_found', message)
}

/** In the order asked, each once, whether stored or not. Throws RequestFailure. */
export async function venueMarketsNamed(
  { markets, event }: Query,
  catalogue: Pick<Catalogue, 'event'>,
): Promise<VenueMarket[]> {
  if (markets !== undefined && event !== undefined) throw refused('event', 'cannot be combined with markets')
  if (event !== undefined) return marketsOfEvent(event, catalogue)
  if (markets === undefined) throw refused('markets', 'is required unless event is given')
  const seen = new Set<string>()
  return markets.split(',').map((entry) => {
    const [{ venue, normalizeId }, id] = taken(entry)
    const market = normalizeId(id)
    if (seen.has(`${venue}:${market}`)) throw refused('markets', `must name each once, got ${quoted(entry)} twice`)
    seen.add(`${venue}:${market}`)
    return { venue, market }
  })
}

/** Ascending. */
async function marketsOfEvent(given: string, catalogue: Pick<Catalogue, 'event'>): Promise<VenueMarket[]> {
  const [{ venue, hasAssets }, id] = taken(given)
  const markets = (await catalogue.event(venue, hasAssets ? id : id.toUpperCase()))?.markets ?? []
  if (markets.length === 0) {
    const message = `No metadata that was loaded tells of a market of the ${venue} event ${quoted(id)}`
    throw new RequestFailure('event_not_found', message)
  }
  if (markets.length <= VENUE_MARKETS_MAX) return markets.map((market) => ({ venue, market }))
  const message = `must have at most ${VENUE_MARKETS_MAX} markets, got ${quoted(given)} with ${markets.length}`
  throw refused('event', `${message}: list some of them`)
}

function taken(entry: string): [VenueParameters, string] {
  const colon = entry.indexOf(':')
  const { parameters } = MOUNTS.find((mount) => mount.parameters.venue === entry.slice(0, colon))!
  return [parameters, entry.slice(colon + 1)]
}

const refused = (field: string, message: string) => parametersInvalid([{ field, message }])

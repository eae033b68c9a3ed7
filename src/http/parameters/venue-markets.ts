// Markets of all venues in one parameter, each prefixed with its venue: `kalshi:TICKER,polymarket:0x…`. Or all markets
// of an event.

import type { Catalogue } from '../../../storage/catalogue.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import { API_VENUES, EXAMPLE_VENUE } from '../../venues.ts'
import { parametersInvalid, quoted, RequestFailure } from '../server/request-failure.ts'
import { listOf, type Parameter, patternText } from './parameter.ts'
import { assertStored } from './stored-market.ts'
import { PARAMETERS, type VenueParameters } from './venue-parameters.ts'

export const VENUE_MARKETS_MAX = 200

export type VenueMarket = { venue: Venue; market: string }

const SORTED = VENUES.toSorted()

export const VENUE_MARKETS: Readonly<Record<'markets' | 'event', Parameter>> = {
  markets: listOf(
    {
      entry: `(?:${SORTED.map((venue) => `${venue}:${API_VENUES[venue].id.pattern}`).join('|')})`,
      ...{ plural: 'markets', max: VENUE_MARKETS_MAX },
      accepts: SORTED.map((venue) => `${venue}:${API_VENUES[venue].idWord}`).join(' or '),
    },
    {
      description: `Markets of both venues, at most ${VENUE_MARKETS_MAX}, with commas between`,
      example: `${EXAMPLE_VENUE}:${API_VENUES[EXAMPLE_VENUE].examples.market}`,
    },
  ),
  event: patternText(
    new RegExp(`^(?:${SORTED.join('|')}):[!-~]{1,200}$`),
    SORTED.map((venue) => `${venue}:${API_VENUES[venue].eventWord}`).join(' or '),
    { description: 'An event instead of a list: all of its markets' },
  ),
}

type Query = Readonly<Partial<Record<'markets' | 'event', string>>>

/** Returns the markets in the requested order. Throws DataError('market_not_stored') if a market that the request names
 *  is not stored. If the request names an event, returns only the event's stored markets. Throws RequestFailure, also
 *  if none of the event's markets is stored. */
export async function requestedMarkets(
  query: Query,
  catalogue: Pick<Catalogue, 'event' | 'market' | 'markets'>,
): Promise<VenueMarket[]> {
  const named = await venueMarketsNamed(query, catalogue)
  const { event } = query
  const stored: VenueMarket[] = []
  for (const { venue, market } of named) {
    if (event === undefined) await assertStored(catalogue, PARAMETERS[venue], market)
    if (event === undefined || (await catalogue.market(venue, market)) !== undefined) stored.push({ venue, market })
  }
  if (stored.length > 0) return stored
  const message = `No market of the event ${quoted(event)} is stored, according to the loaded metadata`
  throw new RequestFailure('event_not_found', message)
}

/** Returns the markets in the requested order, whether stored or not. Throws RequestFailure, also for duplicates. */
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

/** Returns the markets of an event, ascending. */
async function marketsOfEvent(given: string, catalogue: Pick<Catalogue, 'event'>): Promise<VenueMarket[]> {
  const [{ venue, canonicalEvent }, id] = taken(given)
  const markets = (await catalogue.event(venue, canonicalEvent(id)))?.markets ?? []
  if (markets.length === 0) {
    const message = `The loaded metadata has no market of the ${venue} event ${quoted(id)}`
    throw new RequestFailure('event_not_found', message)
  }
  if (markets.length <= VENUE_MARKETS_MAX) return markets.map((market) => ({ venue, market }))
  const message = `must have at most ${VENUE_MARKETS_MAX} markets, got ${quoted(given)} with ${markets.length}`
  throw refused('event', `${message}: list some of them`)
}

function taken(entry: string): [VenueParameters, string] {
  const colon = entry.indexOf(':')
  const venue = VENUES.find((each) => each === entry.slice(0, colon))!
  return [PARAMETERS[venue], entry.slice(colon + 1)]
}

const refused = (field: string, message: string) => parametersInvalid([{ field, message }])

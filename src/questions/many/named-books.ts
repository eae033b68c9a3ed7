// The books named by a request about many: a list, or all books of an event.

import type { Catalogue } from '../../../storage/catalogue.ts'
import { listOf, type Parameter, patternText } from '../../http/parameters/parameter.ts'
import type { VenueParameters } from '../../http/parameters/venue-parameters.ts'
import { parametersInvalid, quoted, RequestFailure } from '../../http/server/request-failure.ts'
import { API_VENUES } from '../../venues.ts'
import type { ParsedQuery } from '../question.ts'
import { assetIdsIn } from '../stored-assets.ts'

export const BOOKS_MAX = 200

/** `asset` is null if the venue has no tokens, or if no token of the market is known. */
export type NamedBook = { market: string; asset: string | null }

function booksParameter(venue: VenueParameters): Parameter {
  const { hasAssets, listParameter, list, examples } = venue
  const { pattern } = API_VENUES[venue.venue].id
  return listOf(
    {
      ...{ entry: hasAssets ? `${pattern}:[0-9]{1,78}` : pattern, plural: listParameter, max: BOOKS_MAX },
      accepts: list.accepts,
    },
    {
      description: list.description.replace('{max}', String(BOOKS_MAX)),
      example: hasAssets ? `${examples.market}:${examples.book}` : examples.market,
    },
  )
}

const EVENT = patternText(/^[!-~]{1,200}$/, '1 to 200 characters of ASCII without blanks', {
  description: 'An event instead of a list: its ticker on Kalshi, its slug on Polymarket',
})

export const bookParameters = (venue: VenueParameters): Record<string, Parameter> => ({
  [venue.listParameter]: booksParameter(venue),
  event: EVENT,
})

/** Returns the books in the requested order. Throws RequestFailure, also for duplicates. */
export function requestedBooks({ parameters, query }: ParsedQuery<string>, catalogue: Catalogue): Promise<NamedBook[]> {
  const name = parameters.listParameter
  const { [name]: list, event } = query
  const refused = (field: string, message: string) => parametersInvalid([{ field, message }])
  if (list !== undefined && event !== undefined) throw refused('event', `cannot be combined with ${name}`)
  if (event !== undefined) return booksOfEvent(parameters, event, catalogue)
  if (list === undefined) throw refused(name, 'is required unless event is given')
  const seen = new Set<string>()
  const books = list.split(',').map((entry): NamedBook => {
    const [id = '', asset = null] = entry.split(':')
    const market = parameters.normalizeId(id)
    if (seen.has(`${market}:${asset}`)) throw refused(name, `must name each once, got ${quoted(entry)} twice`)
    seen.add(`${market}:${asset}`)
    return { market, asset }
  })
  return Promise.resolve(books)
}

/** Returns the books of an event, ascending by market. A market's tokens are in the venue's order. */
async function booksOfEvent(venue: VenueParameters, given: string, catalogue: Catalogue): Promise<NamedBook[]> {
  const known = await catalogue.event(venue.venue, venue.canonicalEvent(given))
  if (known === undefined || known.markets.length === 0) {
    const message = `The loaded metadata has no market of the ${venue.venue} event ${quoted(given)}`
    throw new RequestFailure('event_not_found', message)
  }
  const books = venue.hasAssets
    ? await tokensOf(venue, known.markets, catalogue)
    : known.markets.map((market) => ({ market, asset: null }))
  if (books.length <= BOOKS_MAX) return books
  const message = `must have at most ${BOOKS_MAX} books, got ${quoted(given)} with ${books.length}: list some of them`
  throw parametersInvalid([{ field: 'event', message }])
}

async function tokensOf({ venue }: VenueParameters, markets: string[], catalogue: Catalogue): Promise<NamedBook[]> {
  const found = await catalogue.foundMarkets(venue, markets)
  const books = found.map(async ({ market, card, entry }): Promise<NamedBook[]> => {
    const assetIds = (card?.outcomes ?? []).map(({ asset_id }) => asset_id).filter((asset) => asset !== null)
    const last = entry === undefined ? undefined : { from: entry.lastDate, to: entry.lastDate }
    const assets =
      assetIds.length > 0 || last === undefined ? assetIds : assetIdsIn(await catalogue.heads(venue, market, last))
    return assets.length === 0 ? [{ market, asset: null }] : assets.map((asset) => ({ market, asset }))
  })
  return (await Promise.all(books)).flat()
}

// GET …/market/date-range: the first and last stored date of a market, and how many there are.

import { Elysia } from 'elysia'
import type { Catalogue, MarketEntry } from '../../storage/catalogue.ts'
import { smallAnswer } from '../http/entity-tag.ts'
import { MOUNTS, marketOf, querySchema, type VenueParameters } from '../http/venue-parameters.ts'
import { VERSION } from '../version.ts'

export function dateRangeRoutes({ catalogue }: { catalogue: Pick<Catalogue, 'market'> }) {
  const routes = new Elysia()
  for (const { path, parameters } of MOUNTS) {
    routes.get(
      `${path}/market/date-range`,
      ({ query, request }) => {
        const market = marketOf(parameters, query)
        const entry = catalogue.market(parameters.venue, market)
        const etag = tagOf(entry)
        const response = smallAnswer(request, etag, dateRange(parameters, market, entry))
        response.headers.set('etag', etag)
        return response
      },
      {
        query: querySchema(parameters, { required: ['market'], optional: [] }),
        detail: { summary: 'First and last stored date', tags: [parameters.venue] },
      },
    )
  }
  return routes
}

// What is made is made outside of the handlers: the framework takes one that holds a function for one that waits.
const dateRange =
  ({ idField }: VenueParameters, market: string, entry: MarketEntry | undefined) =>
  () => ({
    [idField]: market,
    has_data: entry !== undefined,
    start_date: entry?.firstDate ?? null,
    end_date: entry?.lastDate ?? null,
    available_date_count: entry?.dateCount ?? 0,
  })

/** The answer itself, in other words: nothing is to be hashed for it. No blanks: some clients split at them. */
const tagOf = (entry: MarketEntry | undefined) =>
  entry === undefined ? NO_DATA : `W/"${VERSION}.${entry.firstDate}.${entry.lastDate}.${entry.dateCount}"`
const NO_DATA = `W/"${VERSION}"`

// GET …/market/date-range: the first and last stored date of a market, and how many there are.

import { Elysia } from 'elysia'
import type { Catalogue, MarketEntry } from '../../storage/catalogue.ts'
import { dateRangeAnswer, dateRangeExample } from '../answers/date-range.ts'
import { smallAnswer } from '../http/answers/entity-tag.ts'
import { MOUNTS, marketOf, querySchema, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { operation } from '../openapi/operation.ts'
import { VERSION } from '../version.ts'

const about = (parameters: VenueParameters) =>
  operation({
    id: `${parameters.venue}DateRange`,
    summary: 'First and last stored date of a market',
    tag: parameters.venue,
    access: 'key',
    answer: () => ({
      description: 'The dates; nulls where nothing is stored of the market',
      schema: dateRangeAnswer(parameters),
      example: dateRangeExample(parameters),
    }),
    failures: ['block_corrupt'],
  })

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
        detail: about(parameters),
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

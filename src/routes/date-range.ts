// GET …/market/date-range: the first and last stored date of a market, and how many there are.

import { Elysia } from 'elysia'
import type { Catalogue, MarketEntry } from '../../storage/catalogue.ts'
import { answerWithoutBody, jsonHeaders } from '../http/entity-tag.ts'
import { ASK_AGAIN } from '../http/freshness.ts'
import { MOUNTS, marketOf, querySchema } from '../http/venue-parameters.ts'
import { VERSION } from '../version.ts'

export function dateRangeRoutes({ catalogue }: { catalogue: Pick<Catalogue, 'market'> }) {
  const routes = new Elysia()
  for (const { path, parameters } of MOUNTS) {
    routes.get(
      `${path}/market/date-range`,
      ({ query, request }) => {
        const market = marketOf(parameters, query)
        const entry = catalogue.market(parameters.venue, market)
        const headers = jsonHeaders({ etag: tagOf(entry), freshness: ASK_AGAIN })
        const bodiless = answerWithoutBody(request, headers)
        if (bodiless !== undefined) return bodiless
        const answer = {
          [parameters.idField]: market,
          has_data: entry !== undefined,
          start_date: entry?.firstDate ?? null,
          end_date: entry?.lastDate ?? null,
          available_date_count: entry?.dateCount ?? 0,
        }
        return new Response(JSON.stringify(answer), { headers })
      },
      {
        query: querySchema(parameters, { required: ['market'], optional: [] }),
        detail: { summary: 'First and last stored date', tags: [parameters.venue] },
      },
    )
  }
  return routes
}

/** The answer itself, in other words: nothing is to be hashed for it. No blanks: some clients split at them. */
const tagOf = (entry: MarketEntry | undefined) =>
  entry === undefined ? NO_DATA : `W/"${VERSION}.${entry.firstDate}.${entry.lastDate}.${entry.dateCount}"`
const NO_DATA = `W/"${VERSION}"`

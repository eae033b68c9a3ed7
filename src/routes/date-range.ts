// GET …/market/date-range: the first and last stored date of a market, and how many there are.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { MOUNTS, marketOf, querySchema } from '../http/venue-parameters.ts'

export function dateRangeRoutes({ catalogue }: { catalogue: Pick<Catalogue, 'market'> }) {
  const routes = new Elysia()
  for (const { path, parameters } of MOUNTS) {
    routes.get(
      `${path}/market/date-range`,
      ({ query }) => {
        const market = marketOf(parameters, query)
        const entry = catalogue.market(parameters.venue, market)
        return {
          [parameters.idField]: market,
          has_data: entry !== undefined,
          start_date: entry?.firstDate ?? null,
          end_date: entry?.lastDate ?? null,
          available_date_count: entry?.dateCount ?? 0,
        }
      },
      {
        query: querySchema(parameters, { required: ['market'], optional: [] }),
        detail: { summary: 'First and last stored date', tags: [parameters.venue] },
      },
    )
  }
  return routes
}

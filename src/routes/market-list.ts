// GET …/market/list: the markets of a venue that something is stored of, in ascending order.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { answerWithoutBody, jsonHeaders, tagsOf } from '../http/entity-tag.ts'
import { ASK_AGAIN } from '../http/freshness.ts'
import { wholeNumber } from '../http/parameter.ts'
import { LIST_LIMIT, MOUNTS, querySchema, type VenueParameters } from '../http/venue-parameters.ts'

const limit = wholeNumber(
  { min: 1, max: LIST_LIMIT.max },
  { unlessGiven: LIST_LIMIT.default, description: 'Markets in a page, at most' },
)
const listQuery = (parameters: VenueParameters) =>
  querySchema(parameters, { required: [], optional: ['prefix', 'offset', 'limit'] }, { limit })

type Dependencies = { catalogue: Pick<Catalogue, 'markets' | 'marketsStamp' | 'cursorSecret'> }

export function marketListRoutes({ catalogue }: Dependencies) {
  const tagOf = tagsOf(catalogue)
  const routes = new Elysia()
  for (const { path, parameters } of MOUNTS) {
    routes.get(
      `${path}/market/list`,
      ({ query, request }) => {
        const headers = jsonHeaders({ etag: tagOf([catalogue.marketsStamp()]), freshness: ASK_AGAIN })
        const bodiless = answerWithoutBody(request, headers)
        if (bodiless !== undefined) return bodiless
        const prefix = query.prefix ? parameters.normalizePrefix(query.prefix) : ''
        const offset = Number(query.offset ?? 0)
        const limit = Number(query.limit ?? LIST_LIMIT.default)
        const { markets, totalCount } = catalogue.markets(parameters.venue, { prefix, offset, limit })
        const page = { offset, limit, total_count: totalCount, has_more: offset + markets.length < totalCount }
        const answer = { markets, data_count: markets.length, ...page, pagination: page }
        return new Response(JSON.stringify(answer), { headers })
      },
      { query: listQuery(parameters), detail: { summary: 'Stored markets', tags: [parameters.venue] } },
    )
  }
  return routes
}

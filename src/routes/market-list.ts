// GET …/market/list: the markets of a venue that something is stored of, in ascending order.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { marketListAnswer, marketListExample } from '../answers/market-list.ts'
import { tagsOf } from '../http/answers/entity-tag.ts'
import { indexAnswer } from '../http/answers/index-answer.ts'
import { wholeNumber } from '../http/parameters/parameter.ts'
import {
  LIST_LIMIT,
  MOUNTS,
  type QueryText,
  querySchema,
  type VenueParameters,
} from '../http/parameters/venue-parameters.ts'
import { COMPRESSED, operation } from '../openapi/operation.ts'

const limit = wholeNumber(
  { min: 1, max: LIST_LIMIT.max },
  { unlessGiven: LIST_LIMIT.default, description: 'Markets in a page, at most' },
)
const listQuery = (parameters: VenueParameters) =>
  querySchema(parameters, { required: [], optional: ['prefix', 'offset', 'limit'] }, { limit })

const about = (parameters: VenueParameters) =>
  operation({
    id: `${parameters.venue}MarketList`,
    summary: 'Stored markets, page by page with offsets',
    tag: parameters.venue,
    access: 'key',
    answer: () => ({
      description: 'A page',
      schema: marketListAnswer,
      example: marketListExample(parameters),
      headers: COMPRESSED,
    }),
    failures: ['block_corrupt'],
  })

type Dependencies = { catalogue: Pick<Catalogue, 'markets' | 'marketsStamp' | 'cursorSecret'> }

export function marketListRoutes({ catalogue }: Dependencies) {
  const tagOf = tagsOf(catalogue)
  const routes = new Elysia()
  for (const { path, parameters } of MOUNTS) {
    routes.get(
      `${path}/market/list`,
      ({ query, request }) => {
        const etag = tagOf([catalogue.marketsStamp()])
        const response = indexAnswer(request, etag, marketList(catalogue, parameters, query))
        if (response instanceof Response) response.headers.set('etag', etag)
        return response
      },
      { query: listQuery(parameters), detail: about(parameters) },
    )
  }
  return routes
}

const marketList =
  (catalogue: Pick<Catalogue, 'markets'>, { venue, normalizePrefix }: VenueParameters, query: QueryText) =>
  () => {
    const prefix = query.prefix ? normalizePrefix(query.prefix) : ''
    const offset = Number(query.offset ?? 0)
    const limit = Number(query.limit ?? LIST_LIMIT.default)
    const { markets, totalCount } = catalogue.markets(venue, { prefix, offset, limit })
    const page = { offset, limit, total_count: totalCount, has_more: offset + markets.length < totalCount }
    return { markets, data_count: markets.length, ...page, pagination: page }
  }

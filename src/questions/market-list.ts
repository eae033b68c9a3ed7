// GET …/market/list: the markets of a venue that something is stored of, in ascending order.

import { Type } from '@sinclair/typebox'
import { wholeNumber } from '../http/parameters/parameter.ts'
import { LIST_LIMIT } from '../http/parameters/venue-parameters.ts'
import { count, named } from '../openapi/field.ts'
import { COMPRESSED } from '../openapi/operation.ts'
import { EXAMPLES, offsetPaging } from './market-fields.ts'
import type { IndexQuestion } from './question.ts'

const limit = wholeNumber(
  { min: 1, max: LIST_LIMIT.max },
  { unlessGiven: LIST_LIMIT.default, description: 'Markets in a page, at most' },
)

const paging = offsetPaging('Markets')
const schema = named('MarketList', 'A page of the markets that something is stored of', {
  markets: Type.Array(Type.String(), {
    description: 'Condition ids (Polymarket: with 0x, in lower case) or tickers (Kalshi: in upper case), ascending',
  }),
  data_count: count('Markets in this page', 1),
  ...paging,
  pagination: Type.Object(paging, { description: 'The same four fields again' }),
})
const examplePage = { offset: 0, limit: 1, total_count: 49, has_more: true }

export const marketList: IndexQuestion = {
  kind: 'index',
  path: '/market/list',
  hasAlias: false,
  isBillable: true,
  isShort: false,
  parameters: () => ({ required: [], optional: ['prefix', 'offset', 'limit'], own: { limit } }),
  about: ({ venue }) => ({
    id: `${venue}MarketList`,
    summary: 'Stored markets, page by page with offsets',
    answer: () => ({
      description: 'A page',
      schema,
      example: { markets: [EXAMPLES[venue].market], data_count: 1, ...examplePage, pagination: examplePage },
      headers: COMPRESSED,
    }),
    failures: ['block_corrupt'],
  }),
  async read(catalogue, { parameters: { venue, normalizePrefix }, query }) {
    const make = async () => {
      const prefix = query.prefix ? normalizePrefix(query.prefix) : ''
      const offset = Number(query.offset ?? 0)
      const limit = Number(query.limit ?? LIST_LIMIT.default)
      const { markets, totalCount } = await catalogue.markets(venue, { prefix, offset, limit })
      const page = { offset, limit, total_count: totalCount, has_more: offset + markets.length < totalCount }
      return { markets, data_count: markets.length, ...page, pagination: page }
    }
    return { identity: [await catalogue.marketsStamp()], make }
  },
}

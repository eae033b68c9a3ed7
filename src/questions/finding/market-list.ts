// GET …/market/list: the stored markets of a venue, ascending.

import { Type } from '@sinclair/typebox'
import type { Catalogue } from '../../../storage/catalogue.ts'
import type { Venue } from '../../../storage/venue.ts'
import { oneOf, wholeNumber } from '../../http/parameters/parameter.ts'
import { LIST_LIMIT } from '../../http/parameters/venue-parameters.ts'
import { count, named, text } from '../../openapi/field.ts'
import { EXAMPLE_MARKET, offsetPaging } from '../market-fields.ts'
import type { IndexQuestion } from '../question.ts'
import { cardFields, cardOf, storedFields, storedOf } from './found-market.ts'

const limit = wholeNumber(
  { min: 1, max: LIST_LIMIT.max },
  { unlessGiven: LIST_LIMIT.default, description: 'Markets in a page, at most' },
)

const details = oneOf(['true', 'false'], {
  unlessGiven: 'false',
  description: 'Whether to return title, event, outcomes, dates and records of each',
})

const detail = named('ListedMarket', 'Metadata of a market, and what is stored of it', {
  market: text('Its condition id, or its ticker', EXAMPLE_MARKET),
  ...cardFields,
  ...storedFields,
})

const paging = offsetPaging('Markets')
const schema = named('MarketList', 'A page of the stored markets', {
  markets: Type.Array(Type.String(), {
    description: 'Condition ids (Polymarket: with 0x, in lower case) or tickers (Kalshi: in upper case), ascending',
  }),
  details: Type.Optional(
    Type.Array(detail, { description: 'With `details=true`: the metadata of each, in their order' }),
  ),
  data_count: count('Markets in this page', 1),
  ...paging,
  pagination: Type.Object(paging, { description: 'The same four fields again' }),
})

export const marketList: IndexQuestion<'details'> = {
  kind: 'index',
  path: '/market/list',
  isBillable: true,
  parameters: () => ({ required: [], optional: ['prefix', 'offset', 'limit', 'details'], own: { limit, details } }),
  about: ({ venue }) => ({
    id: `${venue}MarketList`,
    summary: 'Stored markets, page by page with offsets',
    answer: () => ({
      description: 'A page',
      schema,
    }),
  }),
  async read(catalogue, { parameters: { venue, normalizePrefix }, query }) {
    const make = async () => {
      const prefix = query.prefix ? normalizePrefix(query.prefix) : ''
      const offset = Number(query.offset ?? 0)
      const limit = Number(query.limit ?? LIST_LIMIT.default)
      const { markets, totalCount } = await catalogue.markets(venue, { prefix, offset, limit })
      const page = { offset, limit, total_count: totalCount, has_more: offset + markets.length < totalCount }
      const more = query.details === 'true' ? { details: await detailsOf(catalogue, venue, markets) } : {}
      return { markets, ...more, data_count: markets.length, ...page, pagination: page }
    }
    if (query.details !== 'true') return { identity: [await catalogue.marketsStamp()], make }
    // No stored stamp covers all the details, so the answer itself is its identity.
    const answer = await make()
    return { identity: [answer], make: () => answer }
  },
}

async function detailsOf(catalogue: Pick<Catalogue, 'foundMarkets'>, venue: Venue, markets: string[]) {
  const found = await catalogue.foundMarkets(venue, markets)
  return found.map(({ market, card, event, entry }) => ({ market, ...cardOf(card, event), ...storedOf(entry) }))
}

// What …/market/list answers.

import { Type } from '@sinclair/typebox'
import type { VenueParameters } from '../http/parameters/venue-parameters.ts'
import { count, named } from '../openapi/field.ts'
import { EXAMPLES, offsetPaging } from './market-fields.ts'

const paging = offsetPaging('Markets')

export const marketListAnswer = named('MarketList', 'A page of the markets that something is stored of', {
  markets: Type.Array(Type.String(), {
    description: 'Condition ids (Polymarket: with 0x, in lower case) or tickers (Kalshi: in upper case), ascending',
  }),
  data_count: count('Markets in this page', 1),
  ...paging,
  pagination: Type.Object(paging, { description: 'The same four fields again' }),
})

const page = { offset: 0, limit: 1, total_count: 49, has_more: true }
export const marketListExample = ({ venue }: VenueParameters) => ({
  markets: [EXAMPLES[venue].market],
  data_count: 1,
  ...page,
  pagination: page,
})

// GET …/markets/active: the markets of a date, busiest first, page by page. Reads stored sums.

import { Type } from '@sinclair/typebox'
import { BUSY_BY, type BusyBy } from '../../../storage/finding/finding.ts'
import { oneOf, wholeNumber } from '../../http/parameters/parameter.ts'
import { amount, count, day, named, text } from '../../openapi/field.ts'
import { contractsOf, EXAMPLE_MARKET, offsetPaging } from '../market-fields.ts'
import type { IndexQuestion } from '../question.ts'
import { cardFields, cardOf } from './found-market.ts'
import { words } from './search.ts'

const LIMIT = { default: 20, max: 1_000 }

const active = named('ActiveMarket', 'What is stored of a market on the date', {
  market: text('Its condition id, or its ticker', EXAMPLE_MARKET),
  ...cardFields,
  records: count('Records', 99376),
  trades: count('Trades whose price and size can be read', 1874),
  volume: amount('Their contracts', 41250.5),
  gaps: count('Number of gap records and inferred gaps', 0),
  gap_ms: count('Total length of the gaps, ms; a gap without a known end adds nothing', 0),
})

export const activeMarkets: IndexQuestion<'by' | 'q'> = {
  kind: 'index',
  path: '/markets/active',
  parameters: () => ({
    required: ['date'],
    optional: ['by', 'q', 'offset', 'limit'],
    own: {
      by: oneOf(BUSY_BY, {
        unlessGiven: 'records',
        description: 'What to order by: the busiest first, or `market` for the order of the ids',
      }),
      q: words,
      limit: wholeNumber(
        { min: 1, max: LIMIT.max },
        { unlessGiven: LIMIT.default, description: 'Markets in the answer, at most' },
      ),
    },
  }),
  about: ({ venue }) => ({
    id: `${venue}ActiveMarkets`,
    summary: 'The busiest markets of a date',
    description:
      'Ordered by records, trades or contracts traded, equal ones by their ids; or all by their ids. With `q` only the ' +
      'markets that have its words, as in a search. Does not count as a call.',
    answer: () => ({
      description: 'The markets; none if nothing is stored of the date',
      schema: named('ActiveMarkets', 'The busiest markets of a date, the busiest first', {
        date: day('The date'),
        data_count: count('Markets in the answer', 1),
        data: Type.Array(active, { description: 'The markets, the busiest first' }),
        ...offsetPaging('Markets'),
      }),
    }),
  }),
  async read(catalogue, { parameters: { venue }, query }) {
    const { date = '', by = 'records', q: text } = query
    const [offset, limit] = [Number(query.offset ?? 0), Number(query.limit ?? LIMIT.default)]
    const { days, totalCount } = await catalogue.busiest(venue, date, { by: by as BusyBy, text, offset, limit })
    const markets = days.map(({ market }) => market)
    const found = await catalogue.foundMarkets(venue, markets)
    const data = days.map(({ market, records, trades, volume, gaps, gapMs }, index) => {
      const { card, event } = found[index]!
      const counts = { records, trades, volume: contractsOf(volume), gaps, gap_ms: gapMs }
      return { market, ...cardOf(card, event), ...counts }
    })
    const page = { offset, limit, total_count: totalCount, has_more: offset + data.length < totalCount }
    const answer = { date, data_count: data.length, data, ...page }
    return { identity: ['active', answer], make: () => answer }
  },
}

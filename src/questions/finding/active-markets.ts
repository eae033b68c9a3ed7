// GET …/markets/active: the busiest markets of a date. From figures that are kept.

import { Type } from '@sinclair/typebox'
import { BUSY_BY, type BusyBy } from '../../../storage/finding/finding.ts'
import { oneOf, wholeNumber } from '../../http/parameters/parameter.ts'
import { amount, count, day, named, orNull, text } from '../../openapi/field.ts'
import { COMPRESSED } from '../../openapi/operation.ts'
import { contractsOf, EXAMPLES } from '../market-fields.ts'
import type { IndexQuestion } from '../question.ts'

const LIMIT = { default: 20, max: 1_000 }

const active = named('ActiveMarket', 'What is stored of a market on the date', {
  market: text('Its condition id, or its ticker', EXAMPLES.kalshi.market),
  title: orNull(text('What it is about, null where that is not known', 'Demo: will it be 50° or above?')),
  records: count('Records', 99376),
  trades: count('Trades whose price and size can be read', 1874),
  volume: amount('Their contracts', 41250.5),
  gaps: count('Gaps that a record tells of, and inferred ones', 0),
  gap_ms: count('How long the gaps lasted in all, ms; one without a known end adds nothing', 0),
})

export const activeMarkets: IndexQuestion<'by'> = {
  kind: 'index',
  path: '/markets/active',
  hasAlias: false,
  isBillable: false,
  isShort: false,
  parameters: () => ({
    required: ['date'],
    optional: ['by', 'limit'],
    own: {
      by: oneOf(BUSY_BY, { unlessGiven: 'records', description: 'What the busiest have most of' }),
      limit: wholeNumber(
        { min: 1, max: LIMIT.max },
        { unlessGiven: LIMIT.default, description: 'Markets in the answer, at most' },
      ),
    },
  }),
  about: ({ venue }) => ({
    id: `${venue}ActiveMarkets`,
    summary: 'The busiest markets of a date',
    description: 'By records, trades or contracts traded; equal ones by their ids. Does not count as a call.',
    answer: () => ({
      description: 'The markets, none where nothing is stored of the date',
      schema: named('ActiveMarkets', 'The busiest markets of a date, the busiest first', {
        date: day('The date'),
        data_count: count('Markets in the answer', 1),
        data: Type.Array(active, { description: 'The markets, the busiest first' }),
      }),
      example: {
        ...{ date: '2026-07-20', data_count: 1 },
        data: [
          {
            ...{ market: EXAMPLES[venue].market, title: 'Demo: will it be 50° or above?', records: 99376 },
            ...{ trades: 1874, volume: 41250.5, gaps: 0, gap_ms: 0 },
          },
        ],
      },
      headers: COMPRESSED,
    }),
    failures: ['block_corrupt'],
  }),
  async read(catalogue, { parameters: { venue }, query }) {
    const { date = '', by = 'records' } = query
    const busiest = await catalogue.busiest(venue, date, by as BusyBy, Number(query.limit ?? LIMIT.default))
    const markets = busiest.map(({ market }) => market)
    const titles = (await catalogue.foundMarkets(venue, markets)).map(({ card }) => card?.title ?? null)
    const data = busiest.map(({ market, records, trades, volume, gaps, gapMs }, index) => {
      return { market, title: titles[index]!, records, trades, volume: contractsOf(volume), gaps, gap_ms: gapMs }
    })
    return { identity: ['active', date, data], make: () => ({ date, data_count: data.length, data }) }
  },
}

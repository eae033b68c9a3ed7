// GET …/market/date-range: the first and last stored date of a market, and the number of stored dates.

import { marketOf } from '../http/parameters/venue-parameters.ts'
import { count, day, flag, named, orNull } from '../openapi/field.ts'
import { marketField } from './market-fields.ts'
import type { IndexQuestion } from './question.ts'

export const dateRange: IndexQuestion = {
  kind: 'index',
  path: '/market/date-range',
  isBillable: true,
  isShort: true,
  parameters: () => ({ required: ['market'], optional: [] }),
  about: (venue) => ({
    id: `${venue.venue}DateRange`,
    summary: 'First and last stored date of a market',
    answer: () => ({
      description: 'The dates; null if nothing is stored of the market',
      schema: named(
        `${venue.label}DateRange`,
        'The first and last stored date of a market; dates between them may be missing',
        {
          ...marketField(venue),
          has_data: flag('Whether the market is stored', true),
          start_date: orNull(day('The first stored date; null without one')),
          end_date: orNull(day('The last stored date; null without one', '2026-07-22')),
          available_date_count: count('Stored dates', 3),
        },
      ),
    }),
  }),
  async read(catalogue, { parameters, query }) {
    const market = marketOf(parameters, query)
    const entry = await catalogue.market(parameters.venue, market)
    const [start_date = null, end_date = null] = [entry?.firstDate, entry?.lastDate]
    const available_date_count = entry?.dateCount ?? 0
    const make = () => ({
      [parameters.idField]: market,
      has_data: entry !== undefined,
      start_date,
      end_date,
      available_date_count,
    })
    return { identity: [start_date, end_date, available_date_count], make }
  },
}

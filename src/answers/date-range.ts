// What …/market/date-range answers.

import type { VenueParameters } from '../http/parameters/venue-parameters.ts'
import { count, day, flag, named, orNull } from '../openapi/field.ts'
import { EXAMPLES, marketField } from './market-fields.ts'

export const dateRangeAnswer = (parameters: VenueParameters) =>
  named(
    parameters.venue === 'polymarket' ? 'PolymarketDateRange' : 'KalshiDateRange',
    'The first and last stored date of a market; dates between them may be missing',
    {
      ...marketField(parameters),
      has_data: flag('Whether anything is stored of the market', true),
      start_date: orNull(day('The first stored date, null where nothing is stored')),
      end_date: orNull(day('The last stored date, null where nothing is stored', '2026-07-22')),
      available_date_count: count('Dates that something is stored of', 3),
    },
  )

export const dateRangeExample = ({ idField, venue }: VenueParameters) => ({
  [idField]: EXAMPLES[venue].market,
  has_data: true,
  start_date: '2026-07-20',
  end_date: '2026-07-22',
  available_date_count: 3,
})

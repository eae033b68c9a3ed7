// GET …/market/trade-summary: the trades of one book over a day or window, in buckets.

import { tradeSummaryTask } from '../../workers/tasks/trade-summary.ts'
import { tradeSummaryColumns } from '../../workers/trades/trade-summary.ts'
import { oneOf } from '../http/parameters/parameter.ts'
import type { VenueParameters } from '../http/parameters/venue-parameters.ts'
import { amount, count, named, orNull } from '../openapi/field.ts'
import { BUCKET_PARAMETERS, bucketsFields, bucketTimestamp, parseBuckets, planBuckets } from './buckets.ts'
import { ROW_FORMATS } from './format-parameters.ts'
import type { RecordsQuestion } from './question.ts'

const FILL = oneOf(['none', 'range'], {
  unlessGiven: 'none',
  description: 'Which buckets without a trade to return: none, or all of the stored dates',
})

export const tradeSummary: RecordsQuestion = {
  kind: 'records',
  formats: ROW_FORMATS,
  path: '/market/trade-summary',
  isBillable: true,
  parameters: (venue) => ({ ...BUCKET_PARAMETERS(venue), own: { fill: FILL } }),
  about: (venue) => ({
    id: `${venue.venue}TradeSummary`,
    summary: 'Trades of a day or window, in buckets with candle and volumes',
    description:
      'Give `date`, or `start_timestamp` with `end_timestamp`: it may have at most 1,000,000 buckets. Prices are ' +
      'dollars (0 to 1), sizes contracts; sums are exact. Trades are those of `market/trades`.',
    answer: () => ({
      description: 'The buckets; none if nothing was traded',
      schema: schema(venue),
    }),
    failures: ['range_too_long'],
  }),
  plan(parsed) {
    const { request, window } = parseBuckets(parsed, 'none')
    const fill = request.fill === 'range' ? 'range' : 'none'
    const buckets = { request: { ...request, fill } as const, window }
    return planBuckets(parsed, buckets, { task: tradeSummaryTask, columns: tradeSummaryColumns(buckets.request) })
  },
}

const price = (which: string, example: number) => orNull(amount(`${which}, dollars; null without a trade`, example))

const bucket = named('TradeBucket', 'The trades in a bucket', {
  timestamp: bucketTimestamp,
  open: price('Price of the first trade', 0.438),
  high: price('Highest', 0.442),
  low: price('Lowest', 0.438),
  close: price('Price of the last trade', 0.441),
  vwap: orNull(amount('notional / volume, dollars; null if the volume is 0', 0.4399625)),
  volume: amount('Contracts', 80),
  buy_volume: amount('Contracts that takers bought', 50),
  sell_volume: amount(
    'Contracts that takers sold. Bought and sold contracts add up to the volume if the venue states sides',
    30,
  ),
  notional: amount('Sum of price times size, dollars', 35.197),
  trade_count: count('Trades', 3),
  buy_count: count('Trades in which the taker bought', 2),
  sell_count: count('Trades in which the taker sold', 1),
})

const schema = (parameters: VenueParameters) =>
  named(
    `${parameters.label}TradeSummary`,
    'The trades of one book over a day or a window, in buckets',
    bucketsFields(parameters, bucket),
  )

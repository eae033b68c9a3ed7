// GET …/market/orderbook-summary: the top of one book over a day or window, in buckets with candles.

import { summaryColumns } from '../../workers/summary/table-of-summary.ts'
import { summaryTask } from '../../workers/tasks/summary.ts'
import type { VenueParameters } from '../http/parameters/venue-parameters.ts'
import { amount, count, flag, named, orNull } from '../openapi/field.ts'
import { BUCKET_PARAMETERS, bucketsFields, bucketTimestamp, bucketTrust, parseBuckets, planBuckets } from './buckets.ts'
import { ROW_FORMATS } from './format-parameters.ts'
import type { RecordsQuestion } from './question.ts'

export const orderbookSummary: RecordsQuestion = {
  kind: 'records',
  formats: ROW_FORMATS,
  path: '/market/orderbook-summary',
  hasAlias: true,
  isBillable: true,
  parameters(venue) {
    const { required, optional } = BUCKET_PARAMETERS(venue)
    return { required, optional: [...optional, 'trust'] }
  },
  about: (venue) => ({
    id: `${venue.venue}OrderbookSummary`,
    summary: 'Top of book of a day or window, in buckets with candles',
    description:
      'Give `date`, or `start_timestamp` with `end_timestamp`: it may have at most 1,000,000 buckets. Prices are ' +
      'dollars (0 to 1), sizes contracts. Long answers are streamed; an error breaks the connection.' +
      (venue.hasRootPaths ? ' Also at `/market/orderbook-summary`.' : ''),
    answer: () => ({
      description: 'The buckets; none if nothing is stored of that time',
      schema: schema(venue),
    }),
    failures: ['range_too_long'],
  }),
  plan(parsed) {
    const buckets = parseBuckets(parsed, 'observed')
    return planBuckets(parsed, buckets, { task: summaryTask, columns: summaryColumns(buckets.request) })
  },
}

const candleValue = (which: string, example: number) => orNull(amount(`${which}, dollars`, example))

const candle = named(
  'Candle',
  "A candle over the values of the bucket's quotes that are not null, dollars. All four are numbers, or all are null",
  {
    open: candleValue('Of the first quote', 0.438),
    high: candleValue('Highest', 0.442),
    low: candleValue('Lowest', 0.438),
    close: candleValue('Of the last quote', 0.441),
  },
)

const bucket = named('Bucket', 'The top of the book at the end of a bucket, and how it moved in it', {
  timestamp: bucketTimestamp,
  quote_count: count('Quotes in the bucket', 37),
  is_forward_filled: flag('True if the bucket has no quote and carries the state before it', false),
  best_bid: orNull(amount('Highest bid at the end, dollars (0 to 1); null without bids', 0.441)),
  best_bid_size: amount('Contracts bid for at that price; 0 without bids', 45),
  best_ask: orNull(amount('Lowest ask at the end, dollars (0 to 1); null without asks', 0.446)),
  best_ask_size: amount('Contracts offered at that price; 0 without asks', 198.51),
  mid_price: orNull(amount('(bid + ask) / 2, dollars; null unless both sides exist', 0.4435)),
  spread: orNull(amount('ask − bid, dollars; negative for a crossed book, null unless both sides exist', 0.005)),
  best_bid_ohlc: candle,
  best_ask_ohlc: candle,
  mid_price_ohlc: candle,
  spread_ohlc: candle,
  trust: bucketTrust,
})

const schema = (parameters: VenueParameters) =>
  named(
    `${parameters.label}Summary`,
    'The buckets of one book over a day or a window',
    bucketsFields(parameters, bucket),
  )

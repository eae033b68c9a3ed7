// GET …/market/orderbook-summary: the top of one book over a day or a window, in buckets with candles.

import { Type } from '@sinclair/typebox'
import type { Fill, SummaryRequest } from '../../workers/requests.ts'
import { summaryColumns } from '../../workers/summary/table-of-summary.ts'
import { summaryTask } from '../../workers/tasks/summary.ts'
import { assertBucketsFit, bucketStartMs, readWindow, type TimeWindow } from '../http/parameters/time-window.ts'
import { marketOf, RESOLUTION_SECONDS, type VenueParameters } from '../http/parameters/venue-parameters.ts'
import { amount, count, day, flag, named, orNull, whole } from '../openapi/field.ts'
import { COMPRESSED, STREAMED_FAILURES } from '../openapi/operation.ts'
import { assetIdField, EXAMPLES, marketField } from './market-fields.ts'
import type { Asked, RecordsQuestion } from './question.ts'
import { ROW_FORMATS } from './row-formats.ts'

export const orderbookSummary: RecordsQuestion = {
  kind: 'records',
  formats: ROW_FORMATS,
  path: '/market/orderbook-summary',
  hasAlias: true,
  isBillable: true,
  parameters: ({ hasAssets }) => ({
    required: hasAssets ? ['market', 'asset_id'] : ['market'],
    optional: ['date', 'start_timestamp', 'end_timestamp', 'resolution', 'fill'],
  }),
  about: (venue) => ({
    id: `${venue.venue}OrderbookSummary`,
    summary: 'Top of book of a day or window, in buckets with candles',
    description:
      'Give `date`, or `start_timestamp` with `end_timestamp`: at most 1,000,000 buckets may lie in it. Prices are ' +
      'dollars (0 to 1), sizes contracts. Long answers are streamed; one that ends early is a broken connection.' +
      (venue.hasAssets ? ' Also at `/market/orderbook-summary`.' : ''),
    answer: () => ({
      description: 'The buckets, none where nothing is stored of that time',
      schema: schema(venue),
      example: example(venue),
      headers: COMPRESSED,
    }),
    failures: ['range_too_long', 'market_not_stored', ...(venue.hasAssets ? NO_ASSET : []), ...STREAMED_FAILURES],
  }),
  plan(asked) {
    const { request, window } = planSummary(asked)
    const { nowMs, ...unchanging } = request
    // Of the time it is the bucket that is running, up to which a book may be carried.
    const running = request.toMs < nowMs ? null : bucketStartMs(nowMs, request.resolutionSeconds)
    return {
      market: request.market,
      fromMs: request.fromMs,
      toMs: request.toMs,
      identity: [unchanging, window.date, window.given, running],
      // While time itself is part of the answer, it is not kept.
      isKept: request.toMs < nowMs,
      columns: summaryColumns(request),
      async answer(workers, encoding) {
        const metadata = summarySubject(asked.parameters, request, window)
        const { dataPoints, data } = await workers.ask(summaryTask, { ...request, encoding: { ...encoding, metadata } })
        return { envelope: { ...metadata, data_points: dataPoints }, data }
      },
    }
  },
}

const NO_ASSET = ['asset_not_stored'] as const

export function planSummary({ parameters, query, nowMs }: Asked): { request: SummaryRequest; window: TimeWindow } {
  const window = readWindow(query)
  const resolutionSeconds = Number(query.resolution ?? RESOLUTION_SECONDS.default)
  assertBucketsFit(window, resolutionSeconds)
  const market = marketOf(parameters, query)
  const request: SummaryRequest = {
    venue: parameters.venue,
    market,
    book: query.asset_id ?? market,
    fromMs: window.fromMs,
    toMs: window.toMs,
    resolutionSeconds,
    fill: (query.fill ?? 'observed') as Fill,
    nowMs,
    timestampUnit: window.unit,
  }
  return { request, window }
}

/** Every field before `data_points`. */
export function summarySubject(
  { idField, hasAssets }: VenueParameters,
  { market, book, resolutionSeconds }: SummaryRequest,
  { date, given }: TimeWindow,
): Record<string, unknown> {
  return {
    [idField]: market,
    ...(hasAssets ? { asset_id: book } : {}),
    date,
    ...(given ? { start_timestamp: given.start, end_timestamp: given.end } : {}),
    resolution_seconds: resolutionSeconds,
  }
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
  timestamp: whole(
    'Start of the bucket: Unix s where the bounds were given in seconds, else Unix ms, UTC',
    1784505600000,
  ),
  quote_count: count('Quotes in the bucket', 37),
  is_forward_filled: flag('True where no quote lies in the bucket, which carries the state before it', false),
  best_bid: orNull(amount('Highest bid at the end, dollars (0 to 1); null while nobody bids', 0.441)),
  best_bid_size: amount('Contracts bid for at that price; 0 while nobody bids', 45),
  best_ask: orNull(amount('Lowest ask at the end, dollars (0 to 1); null while nobody asks', 0.446)),
  best_ask_size: amount('Contracts offered at that price; 0 while nobody asks', 198.51),
  mid_price: orNull(amount('(bid + ask) / 2, dollars; null unless both sides exist', 0.4435)),
  spread: orNull(amount('ask − bid, dollars; negative for a crossed book, null unless both sides exist', 0.005)),
  best_bid_ohlc: candle,
  best_ask_ohlc: candle,
  mid_price_ohlc: candle,
  spread_ohlc: candle,
})

const schema = (parameters: VenueParameters) =>
  named(
    parameters.hasAssets ? 'PolymarketSummary' : 'KalshiSummary',
    'The buckets of one book over a day or a window',
    {
      ...marketField(parameters),
      ...(parameters.hasAssets ? { asset_id: assetIdField } : {}),
      date: orNull(day('The date asked for; null where bounds were given')),
      start_timestamp: Type.Optional(whole('Only where bounds were given: the first, in the unit given', 1784548800)),
      end_timestamp: Type.Optional(whole('Only where bounds were given: the last, in the unit given', 1784548809)),
      resolution_seconds: whole('Length of a bucket, s', 60),
      data_points: count('Number of buckets in data', 1440),
      data: Type.Array(bucket, { description: 'The buckets, ascending' }),
    },
  )

const ohlc = (open: number, high: number, low: number, close: number) => ({ open, high, low, close })

const example = ({ hasAssets, idField, venue }: VenueParameters) => ({
  [idField]: EXAMPLES[venue].market,
  ...(hasAssets ? { asset_id: EXAMPLES[venue].book } : {}),
  date: '2026-07-20',
  resolution_seconds: 60,
  data_points: 1,
  data: [
    {
      timestamp: 1784505600000,
      quote_count: 37,
      is_forward_filled: false,
      best_bid: 0.441,
      best_bid_size: 45,
      best_ask: 0.446,
      best_ask_size: 198.51,
      mid_price: 0.4435,
      spread: 0.005,
      best_bid_ohlc: ohlc(0.438, 0.442, 0.438, 0.441),
      best_ask_ohlc: ohlc(0.442, 0.446, 0.441, 0.446),
      mid_price_ohlc: ohlc(0.44, 0.444, 0.4395, 0.4435),
      spread_ohlc: ohlc(0.004, 0.005, 0.002, 0.005),
    },
  ],
})

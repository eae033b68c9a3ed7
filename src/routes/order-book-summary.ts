// GET …/market/orderbook-summary: the top of one book over a day or a window, in buckets.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { utcDate } from '../../storage/units.ts'
import type { Fill, SummaryRequest, Workers } from '../../workers/requests.ts'
import { summaryAnswer, summaryExample } from '../answers/order-book-summary.ts'
import type { AnswerCache } from '../http/answers/answer-cache.ts'
import { bodyHeaders, bodyResponse } from '../http/answers/body-response.ts'
import { acceptedEncoding } from '../http/answers/content-encoding.ts'
import { answerWithoutBody, tagsOf } from '../http/answers/entity-tag.ts'
import { freshnessOf } from '../http/answers/freshness.ts'
import { jsonEnvelope } from '../http/answers/json-envelope.ts'
import { assertStored } from '../http/parameters/stored-market.ts'
import { assertBucketsFit, bucketStartMs, readWindow, type TimeWindow } from '../http/parameters/time-window.ts'
import {
  DATA_MOUNTS,
  marketOf,
  type QueryText,
  querySchema,
  RESOLUTION_SECONDS,
  type VenueParameters,
} from '../http/parameters/venue-parameters.ts'
import { type LogFailure, lateFailure } from '../http/server/failure-log.ts'
import { alias, COMPRESSED, operation, STREAMED_FAILURES } from '../openapi/operation.ts'

const summaryQuery = (parameters: VenueParameters) =>
  querySchema(parameters, {
    required: parameters.hasAssets ? ['market', 'asset_id'] : ['market'],
    optional: ['date', 'start_timestamp', 'end_timestamp', 'resolution', 'fill'],
  })

const about = (parameters: VenueParameters) =>
  operation({
    id: `${parameters.venue}OrderbookSummary`,
    summary: 'Top of book of a day or window, in buckets with candles',
    description:
      'Give `date`, or `start_timestamp` with `end_timestamp`: at most 1,000,000 buckets may lie in it. Prices are ' +
      'dollars (0 to 1), sizes contracts. Long answers are streamed; one that ends early is a broken connection.' +
      (parameters.hasAssets ? ' Also at `/market/orderbook-summary`.' : ''),
    tag: parameters.venue,
    access: 'key',
    answer: () => ({
      description: 'The buckets, none where nothing is stored of that time',
      schema: summaryAnswer(parameters),
      example: summaryExample(parameters),
      headers: COMPRESSED,
    }),
    failures: ['range_too_long', 'market_not_stored', ...STREAMED_FAILURES],
  })

type Dependencies = {
  catalogue: Pick<Catalogue, 'market' | 'stamp' | 'cursorSecret'>
  workers: Pick<Workers, 'summary'>
  cache: AnswerCache
  nowMs: () => number
  log: LogFailure
}

export function orderBookSummaryRoutes({ catalogue, workers, cache, nowMs, log }: Dependencies) {
  const tagOf = tagsOf(catalogue)
  const routes = new Elysia()
  for (const { path, parameters } of DATA_MOUNTS) {
    routes.get(
      `${path}/market/orderbook-summary`,
      async ({ query, request }) => {
        const { plan, window } = planSummary(parameters, query, nowMs())
        assertStored(catalogue, parameters, plan.market)
        const stamp = stampOf(catalogue, plan)
        const question = questionOf(plan, window, stamp)
        const validators = { etag: tagOf([question]), freshness: freshnessOf(plan.toMs, plan.nowMs, stamp) }
        const bodiless = answerWithoutBody(request, bodyHeaders(validators))
        if (bodiless !== undefined) return bodiless
        const encoding = acceptedEncoding(request)
        // While time itself is part of the answer, it is not kept.
        const key = plan.toMs >= plan.nowMs ? null : `${encoding} ${question}`
        const kept = key === null ? undefined : cache.response(key, validators, request)
        if (kept !== undefined) return kept
        const { dataPoints, data } = await workers.summary(plan)
        const keep = key === null ? undefined : cache.keep(key)
        const body = jsonEnvelope(summaryHead(parameters, plan, window, dataPoints), data)
        return bodyResponse(body, { request, encoding, onLateFailure: lateFailure(log, request), keep, validators })
      },
      {
        query: summaryQuery(parameters),
        detail: path === '' ? alias : about(parameters),
      },
    )
  }
  return routes
}

function stampOf(catalogue: Pick<Catalogue, 'stamp'>, { venue, market, fromMs, toMs }: SummaryRequest): string {
  return catalogue.stamp(venue, market, { from: utcDate(fromMs), to: utcDate(toMs) })
}

/** All that an answer follows from. Of the time it is the bucket that is running, up to which a book may be carried. */
function questionOf({ nowMs, ...plan }: SummaryRequest, { date, given }: TimeWindow, stamp: string): string {
  const running = plan.toMs < nowMs ? null : bucketStartMs(nowMs, plan.resolutionSeconds)
  return JSON.stringify([plan, date, given, running, stamp])
}

export function planSummary(
  parameters: VenueParameters,
  query: QueryText,
  nowMs: number,
): { plan: SummaryRequest; window: TimeWindow } {
  const window = readWindow(query)
  const resolutionSeconds = Number(query.resolution ?? RESOLUTION_SECONDS.default)
  assertBucketsFit(window, resolutionSeconds)
  const market = marketOf(parameters, query)
  const plan: SummaryRequest = {
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
  return { plan, window }
}

function summaryHead(
  { idField, hasAssets }: VenueParameters,
  { market, book, resolutionSeconds }: SummaryRequest,
  { date, given }: TimeWindow,
  dataPoints: number,
): Record<string, unknown> {
  return {
    [idField]: market,
    ...(hasAssets ? { asset_id: book } : {}),
    date,
    ...(given ? { start_timestamp: given.start, end_timestamp: given.end } : {}),
    resolution_seconds: resolutionSeconds,
    data_points: dataPoints,
  }
}

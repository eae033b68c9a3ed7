// GET …/market/data/range: the raw records of a market between two instants, page by page with cursors.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { dateStartMs, utcDate } from '../../storage/units.ts'
import type { PageRequest, Position, Workers } from '../../workers/requests.ts'
import { rangePageAnswer, rangePageExample } from '../answers/raw-page.ts'
import { bodyHeaders, bodyResponse } from '../http/answers/body-response.ts'
import { acceptedEncoding } from '../http/answers/content-encoding.ts'
import { answerWithoutBody, tagsOf } from '../http/answers/entity-tag.ts'
import { freshnessOf } from '../http/answers/freshness.ts'
import { jsonEnvelope } from '../http/answers/json-envelope.ts'
import { type CursorQuery, decodeCursor, encodeCursor } from '../http/parameters/cursor.ts'
import { mustBe } from '../http/parameters/parameter.ts'
import { assertStored } from '../http/parameters/stored-market.ts'
import { readBounds, type TimeWindow } from '../http/parameters/time-window.ts'
import {
  bound,
  DATA_MOUNTS,
  marketOf,
  type QueryText,
  querySchema,
  RAW_LIMIT,
  type VenueParameters,
} from '../http/parameters/venue-parameters.ts'
import { type LogFailure, lateFailure } from '../http/server/failure-log.ts'
import { parametersInvalid } from '../http/server/request-failure.ts'
import { alias, COMPRESSED, operation, STREAMED_FAILURES } from '../openapi/operation.ts'

const bounds = {
  start_timestamp: bound('Lower', { example: 1784548800000 }),
  end_timestamp: bound('Upper', { example: 1784552399999 }),
}
const rangeQuery = (parameters: VenueParameters) =>
  querySchema(
    parameters,
    {
      required: ['market', 'start_timestamp', 'end_timestamp'],
      optional: parameters.hasAssets ? ['asset_id', 'limit', 'cursor'] : ['limit', 'cursor'],
    },
    bounds,
  )

const about = (parameters: VenueParameters) =>
  operation({
    id: `${parameters.venue}MarketDataRange`,
    summary: 'Raw records of a time range, page by page with cursors',
    description:
      'Every message as the venue sent it, by event time. Repeat the query with `cursor` set to `next_cursor` until ' +
      'that is null; only `limit` may change. A cursor stays exact while data is added after it, and is refused ' +
      '(`cursor_stale`) once records before it in its date have changed.' +
      (parameters.hasAssets ? ' Ranges from before 2026-02-08 are not offered. Also at `/market/data/range`.' : ''),
    tag: parameters.venue,
    access: 'key',
    answer: () => ({
      description: 'A page, empty where nothing is stored of that range',
      schema: rangePageAnswer(parameters),
      example: rangePageExample(parameters),
      headers: COMPRESSED,
    }),
    failures: [
      ...(parameters.rawFromDate ? TOO_EARLY : []),
      'cursor_invalid',
      'cursor_stale',
      'market_not_stored',
      ...STREAMED_FAILURES,
    ],
  })
const TOO_EARLY = ['date_too_early'] as const

type Dependencies = {
  catalogue: Pick<Catalogue, 'market' | 'stamp' | 'cursorSecret'>
  workers: Pick<Workers, 'page'>
  nowMs: () => number
  log: LogFailure
}

export function marketDataRangeRoutes({ catalogue, workers, nowMs, log }: Dependencies) {
  const tagOf = tagsOf(catalogue)
  const secret = catalogue.cursorSecret()
  const routes = new Elysia()
  for (const { path, parameters } of DATA_MOUNTS) {
    routes.get(
      `${path}/market/data/range`,
      async ({ query, request }) => {
        const { plan, cursorQuery } = planRangePage(parameters, query, secret)
        assertStored(catalogue, parameters, plan.market)
        const { venue, fromMs, toMs } = cursorQuery
        const stamp = catalogue.stamp(venue, plan.market, { from: utcDate(fromMs), to: utcDate(toMs) })
        const validators = { etag: tagOf([plan, stamp]), freshness: freshnessOf(toMs, nowMs(), stamp) }
        const bodiless = answerWithoutBody(request, bodyHeaders(validators))
        if (bodiless !== undefined) return bodiless
        const { dataCount, hasMore, next, data } = await workers.page(plan)
        const head = {
          [parameters.idField]: plan.market,
          start_timestamp: cursorQuery.fromMs,
          end_timestamp: cursorQuery.toMs,
          data_count: dataCount,
        }
        const page = { limit: plan.limit, has_more: hasMore, next_cursor: cursorOf(secret, cursorQuery, next) }
        const body = jsonEnvelope({ ...head, ...page, pagination: page }, data)
        return bodyResponse(body, {
          request,
          encoding: acceptedEncoding(request),
          onLateFailure: lateFailure(log, request),
          validators,
        })
      },
      {
        query: rangeQuery(parameters),
        detail: path === '' ? alias : about(parameters),
      },
    )
  }
  return routes
}

export function planRangePage(
  parameters: VenueParameters,
  query: QueryText,
  secret: Uint8Array,
): { plan: PageRequest; cursorQuery: CursorQuery } {
  const window = readBounds(query)
  assertNotTooEarly(parameters, query, window)
  const { venue } = parameters
  const { fromMs, toMs } = window
  const market = marketOf(parameters, query)
  const book = query.asset_id ?? null
  const cursorQuery: CursorQuery = { venue, market, book, fromMs, toMs }
  const after = query.cursor === undefined ? null : decodeCursor(secret, cursorQuery, query.cursor)
  const limit = Number(query.limit ?? RAW_LIMIT.default)
  return { plan: { venue, market, book, limit, scope: { fromMs, toMs, after } }, cursorQuery }
}

function assertNotTooEarly({ rawFromDate }: VenueParameters, query: QueryText, { fromMs }: TimeWindow): void {
  if (rawFromDate === null || fromMs >= dateStartMs(rawFromDate)) return
  const firstMs = dateStartMs(rawFromDate)
  const message = mustBe(`${firstMs} ms (${rawFromDate}) or later`, query.start_timestamp)
  throw parametersInvalid([{ field: 'start_timestamp', message }], 'date_too_early')
}

const cursorOf = (secret: Uint8Array, query: CursorQuery, next: Position | null) =>
  next === null ? null : encodeCursor(secret, query, next)

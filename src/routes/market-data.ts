// GET …/market/data: the raw records of a market on one date, by offset.

import { Elysia } from 'elysia'
import type { Catalogue } from '../../storage/catalogue.ts'
import { DAY_MS, dateStartMs } from '../../storage/units.ts'
import type { PageRequest, Workers } from '../../workers/requests.ts'
import { datePageAnswer, datePageExample } from '../answers/raw-page.ts'
import { bodyHeaders, bodyResponse } from '../http/answers/body-response.ts'
import { acceptedEncoding } from '../http/answers/content-encoding.ts'
import { answerWithoutBody, tagsOf } from '../http/answers/entity-tag.ts'
import { freshnessOf } from '../http/answers/freshness.ts'
import { jsonEnvelope } from '../http/answers/json-envelope.ts'
import { mustBe } from '../http/parameters/parameter.ts'
import { assertStored } from '../http/parameters/stored-market.ts'
import {
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

const dataQuery = (parameters: VenueParameters) =>
  querySchema(parameters, {
    required: ['market', 'date'],
    optional: parameters.hasAssets ? ['asset_id', 'offset', 'limit'] : ['offset', 'limit'],
  })

const about = (parameters: VenueParameters) =>
  operation({
    id: `${parameters.venue}MarketData`,
    summary: 'Raw records of one date, page by page with offsets',
    description:
      'Every message as the venue sent it, by event time. Ask again with `offset` raised by `data_count` while ' +
      '`has_more` is true; while the date is being loaded, pages can shift: `market/data/range` does not.' +
      (parameters.hasAssets ? ' Dates before 2026-02-08 are not offered. Also at `/market/data`.' : ''),
    tag: parameters.venue,
    access: 'key',
    answer: () => ({
      description: 'A page, empty where nothing is stored of that date',
      schema: datePageAnswer(parameters),
      example: datePageExample(parameters),
      headers: COMPRESSED,
    }),
    failures: [...(parameters.rawFromDate ? TOO_EARLY : []), 'market_not_stored', ...STREAMED_FAILURES],
  })
const TOO_EARLY = ['date_too_early'] as const

type Dependencies = {
  catalogue: Pick<Catalogue, 'market' | 'stamp' | 'cursorSecret'>
  workers: Pick<Workers, 'page'>
  nowMs: () => number
  log: LogFailure
}

export function marketDataRoutes({ catalogue, workers, nowMs, log }: Dependencies) {
  const tagOf = tagsOf(catalogue)
  const routes = new Elysia()
  for (const { path, parameters } of DATA_MOUNTS) {
    routes.get(
      `${path}/market/data`,
      async ({ query, request }) => {
        const plan = planDatePage(parameters, query)
        const { market, limit, scope } = plan
        assertStored(catalogue, parameters, market)
        const stamp = catalogue.stamp(parameters.venue, market, { from: scope.date, to: scope.date })
        const freshness = freshnessOf(dateStartMs(scope.date) + DAY_MS - 1, nowMs(), stamp)
        const validators = { etag: tagOf([plan, stamp]), freshness }
        const bodiless = answerWithoutBody(request, bodyHeaders(validators))
        if (bodiless !== undefined) return bodiless
        const { dataCount, hasMore, totalCount, data } = await workers.page(plan)
        const page = { offset: scope.offset, limit, total_count: totalCount, has_more: hasMore }
        const head = { [parameters.idField]: market, date: scope.date, data_count: dataCount }
        const body = jsonEnvelope({ ...head, ...page, pagination: page }, data)
        return bodyResponse(body, {
          request,
          encoding: acceptedEncoding(request),
          onLateFailure: lateFailure(log, request),
          validators,
        })
      },
      {
        query: dataQuery(parameters),
        detail: path === '' ? alias : about(parameters),
      },
    )
  }
  return routes
}

export type DatePageRequest = PageRequest & { scope: { date: string; offset: number } }

export function planDatePage(parameters: VenueParameters, query: QueryText): DatePageRequest {
  const { date = '' } = query
  if (parameters.rawFromDate !== null && date < parameters.rawFromDate) {
    const message = mustBe(`${parameters.rawFromDate} or later`, date)
    throw parametersInvalid([{ field: 'date', message }], 'date_too_early')
  }
  return {
    venue: parameters.venue,
    market: marketOf(parameters, query),
    book: query.asset_id ?? null,
    limit: Number(query.limit ?? RAW_LIMIT.default),
    scope: { date, offset: Number(query.offset ?? 0) },
  }
}

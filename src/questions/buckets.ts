// Shared by questions about one book in buckets: parameters, plan, envelope.

import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Fill, SummaryHead, SummaryRequest } from '../../workers/requests.ts'
import type { TableTask } from '../../workers/tasks/table-task.ts'
import { TRUSTS } from '../../workers/trust/trust-steps.ts'
import { assertBucketsFit, bucketStartMs, readWindow, type TimeWindow } from '../http/parameters/time-window.ts'
import {
  marketOf,
  type ParameterName,
  RESOLUTION_SECONDS,
  type VenueParameters,
} from '../http/parameters/venue-parameters.ts'
import { choice, count, whole } from '../openapi/field.ts'
import { subjectFields, subjectOf, TRUST_WORDS, windowFields } from './market-fields.ts'
import type { ParsedQuery, RecordsPlan } from './question.ts'

/** On Polymarket the token is required too. */
export const BUCKET_PARAMETERS = ({ hasAssets }: VenueParameters) => ({
  required: (hasAssets ? ['market', 'asset_id'] : ['market']) as readonly ParameterName[],
  optional: ['date', 'start_timestamp', 'end_timestamp', 'resolution', 'fill'] as const,
})

type PlannedBuckets = { request: SummaryRequest; window: TimeWindow }

/** `unlessGiven` is the default fill. Throws RequestFailure. */
export function parseBuckets({ parameters, query, nowMs }: ParsedQuery, unlessGiven: Fill): PlannedBuckets {
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
    fill: (query.fill ?? unlessGiven) as Fill,
    nowMs,
    timestampUnit: window.unit,
    trust: query.trust?.split(','),
  }
  return { request, window }
}

/** Plans a query whose answer is divided into buckets. `request` may have more fields than `parseBuckets` returned. */
export function planBuckets<Request extends SummaryRequest>(
  { parameters }: ParsedQuery,
  { request, window }: PlannedBuckets & { request: Request },
  { task, columns }: { task: TableTask<Request, SummaryHead>; columns: readonly string[] },
): RecordsPlan {
  const { nowMs, ...unchanging } = request
  // The current time matters only by its bucket, because a book is carried up to that bucket.
  const running = request.toMs < nowMs ? null : bucketStartMs(nowMs, request.resolutionSeconds)
  return {
    market: request.market,
    fromMs: request.fromMs,
    toMs: request.toMs,
    identity: [unchanging, window.date, window.given, running],
    // An answer that depends on the current time is not cached.
    isCacheable: request.toMs < nowMs,
    columns,
    async answer(workers, encoding) {
      const metadata = { ...subjectOf(parameters, request, window), resolution_seconds: request.resolutionSeconds }
      const { dataPoints, data } = await workers.ask(task, { ...request, encoding: { ...encoding, metadata } })
      return { envelope: { ...metadata, data_points: dataPoints }, data }
    },
  }
}

export const bucketTimestamp = whole(
  'Start of the bucket: Unix s if the bounds were in s, else Unix ms, UTC',
  1784505600000,
)

export const bucketTrust = choice(TRUSTS, `The worst trust of the book in the bucket: ${TRUST_WORDS}`)

export const bucketsFields = (parameters: VenueParameters, bucket: TSchema): TProperties => ({
  ...subjectFields(parameters),
  ...windowFields,
  resolution_seconds: whole('Length of a bucket, s', 60),
  data_points: count('Number of buckets in data', 1440),
  data: Type.Array(bucket, { description: 'The buckets, ascending' }),
})

// Tests a request for buckets, and what decides whether its answer is cacheable.

import { expect, test } from 'bun:test'
import type { SummaryRequest } from '../../workers/requests.ts'
import { summaryTask } from '../../workers/tasks/summary.ts'
import { PARAMETERS } from '../http/parameters/venue-parameters.ts'
import { BUCKET_PARAMETERS, parseBuckets, planBuckets } from './buckets.ts'
import type { ParsedQuery } from './question.ts'

const START = Date.parse('2026-08-10')
const DAY_MS = 86_400_000
const parsed = (
  query: Record<string, string>,
  nowMs = START + 30 * DAY_MS,
  venue: 'kalshi' | 'polymarket' = 'kalshi',
) => ({ parameters: PARAMETERS[venue], query, nowMs }) as ParsedQuery
const plan = (query: Record<string, string>, nowMs?: number, venue?: 'kalshi' | 'polymarket') => {
  const given = parsed(query, nowMs, venue)
  return planBuckets(given, parseBuckets(given, 'observed'), { task: summaryTask, columns: ['timestamp'] })
}
const DAY = { ticker: 'kx', date: '2026-08-10' }

test('a request has the book, the window and the defaults', () => {
  const { request } = parseBuckets(parsed(DAY, 5), 'none')
  expect(request).toEqual({
    ...{ venue: 'kalshi', market: 'KX', book: 'KX', fromMs: START, toMs: START + DAY_MS - 1, resolutionSeconds: 60 },
    ...{ fill: 'none', nowMs: 5, timestampUnit: 'ms', trust: undefined },
  })
  const bounds = { ticker: 'kx', start_timestamp: `${START / 1_000}`, end_timestamp: `${START / 1_000 + 9}` }
  expect(
    parseBuckets(parsed({ ...bounds, resolution: '5', fill: 'range', trust: 'lost,doubtful' }), 'none').request,
  ).toMatchObject({
    ...{ fromMs: START, toMs: START + 9_999, resolutionSeconds: 5, fill: 'range', timestampUnit: 's' },
    trust: ['lost', 'doubtful'],
  })
  const token = parsed({ condition_id: 'AB'.repeat(32), asset_id: '7', date: '2026-08-10' }, 5, 'polymarket')
  expect(parseBuckets(token, 'none').request).toMatchObject({ market: `0x${'ab'.repeat(32)}`, book: '7' })
  expect(
    [BUCKET_PARAMETERS(PARAMETERS.kalshi), BUCKET_PARAMETERS(PARAMETERS.polymarket)].map(({ required }) => required),
  ).toEqual([['market'], ['market', 'asset_id']])
})

test('more buckets than a million are refused', () => {
  const bounds = { ticker: 'kx', start_timestamp: '2026-01-01', end_timestamp: '2026-12-31' }
  expect(() => parseBuckets(parsed({ ...bounds, resolution: '1' }), 'none')).toThrow(
    'must give at most 1000000 buckets',
  )
})

test('a day that is over depends on no clock, and is cacheable', () => {
  const over = [DAY_MS, 2 * DAY_MS, 30 * DAY_MS].map((ms) => plan(DAY, START + ms))
  expect(over.map(({ isCacheable }) => isCacheable)).toEqual([true, true, true])
  expect(new Set(over.map(({ identity }) => JSON.stringify(identity))).size).toBe(1)
})

test('an open window depends on the current bucket, and is not cacheable', () => {
  const open = [0, 59_999, 60_000].map((ms) => plan(DAY, START + ms))
  expect(open.map(({ isCacheable }) => isCacheable)).toEqual([false, false, false])
  const [first, same, next] = open.map(({ identity }) => JSON.stringify(identity))
  expect([first === same, same === next]).toEqual([true, false])
  // The last ms of the day is not over yet.
  expect(plan(DAY, START + DAY_MS - 1).isCacheable).toBe(false)
})

test('the envelope has the parameters of the request, and so do the rows', async () => {
  const encodings: unknown[] = []
  const ask = async (_: unknown, request: SummaryRequest & { encoding: object }) => {
    encodings.push(request.encoding)
    return { dataPoints: 3, data: { bytes: new Uint8Array([1]) } }
  }
  const answer = await plan(DAY).answer({ ask } as never, { format: 'json' })
  const metadata = { market_ticker: 'KX', date: '2026-08-10', resolution_seconds: 60 }
  expect(answer).toEqual({ envelope: { ...metadata, data_points: 3 }, data: { bytes: new Uint8Array([1]) } })
  expect(encodings).toEqual([{ format: 'json', metadata }])
  const bounds = {
    condition_id: 'ab'.repeat(32),
    asset_id: '7',
    start_timestamp: `${START}`,
    end_timestamp: `${START + 9}`,
  }
  expect((await plan(bounds, undefined, 'polymarket').answer({ ask } as never, { format: 'json' })).envelope).toEqual({
    ...{ market_condition_id: `0x${'ab'.repeat(32)}`, asset_id: '7', date: null },
    ...{ start_timestamp: START, end_timestamp: START + 9, resolution_seconds: 60, data_points: 3 },
  })
})

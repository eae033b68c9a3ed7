// Answers of the endpoints about usage and statistics.

import { Type } from '@sinclair/typebox'
import { VENUES } from '../../storage/venue.ts'
import { amount, choice, count, flag, instant, named, orNull, text, whole } from '../openapi/field.ts'
import { EXAMPLE_MARKET } from '../questions/market-fields.ts'

const userId = text('The user', 'ann')

export const usageAnswer = named('Usage', 'What a user used of its plan this month', {
  user_id: userId,
  tier: text('The id of its plan', 'free'),
  tier_name: text('The name of its plan', 'Free'),
  api_calls: count('Calls of this month', 1250),
  limit: orNull(count('Calls that the plan allows in a month; null for no limit', 10_000)),
  remaining: orNull(count('Calls left this month; null for no limit', 8_750)),
  month: text('The month, in UTC', '2026-11'),
  unlimited: flag('Whether the plan has no limit', false),
})

export const requestCountAnswer = named('RequestCount', 'Number of all requests of a user', {
  user_id: userId,
  total_requests: count('Requests with its keys, including those that did not count as calls', 1290),
})

const hourCount = named('HourCount', 'The requests of an hour', {
  hour: instant('Start of the hour', '2026-11-21T10:00:00Z'),
  count: count('Requests in it', 42),
})
const asGiven = (which: string) =>
  Type.Unsafe<string | number>({
    oneOf: [{ type: 'integer' }, { type: 'string' }],
    description: `The ${which} moment, as given`,
    example: '2026-11-21',
  })

export const hourCountsAnswer = named('HourCounts', 'Requests by hour', {
  user_id: userId,
  start_time: asGiven('first'),
  end_time: asGiven('last'),
  counts: Type.Array(hourCount, { description: 'Hours with requests, ascending' }),
})

const pastRequest = named('PastRequest', 'One request', {
  time: instant('When it was answered'),
  method: text('Its method', 'GET'),
  path: text('Its path, without the query', '/api/v1/kalshi/market/data'),
  status: whole('The HTTP status of its answer', 200),
  duration_ms: amount('Time until the answer began, ms', 3.1),
  key_id: text('The key that was used', 'key_5f0c1e7a9b2d4c6e8f013579'),
})

export const recentRequestsAnswer = named('RecentRequests', 'The newest requests of a user', {
  user_id: userId,
  requests: Type.Array(pastRequest, { description: 'The requests, the newest first' }),
})

const sums = {
  total_requests: count('Requests with a valid key', 1290),
  api_calls: count('Requests that count for plans', 1250),
  refused: count('Requests answered with 429', 30),
  failed: count('Requests answered with 5xx', 0),
}

export const statsAnswer = named('Stats', 'Requests to the whole server', {
  users: count('Users', 3),
  api_keys: count('All keys that were ever created', 5),
  active_api_keys: count('Active keys', 4),
  ...sums,
  last_24_hours: Type.Object(
    { ...sums, counts: Type.Array(hourCount, { description: 'Hours with requests, ascending' }) },
    { description: 'The current hour and the 23 before it' },
  ),
})

const popularMarket = named('PopularMarket', 'A market and its number of requests', {
  venue: choice(VENUES, 'Its venue'),
  market: text('Its condition_id or ticker', EXAMPLE_MARKET),
  requests: count('Requests about it that were not refused', 611),
})
export const popularMarketsAnswer = named('PopularMarkets', 'The markets with most requests', {
  markets: Type.Array(popularMarket, { description: 'The markets, the one with most requests first' }),
})

// Tests which route a request is counted for, and how many series the metrics have.

import { expect, test } from 'bun:test'
import { followWhole } from '../../http/server/sent-body.ts'
import { RequestStats } from './request-stats.ts'

const ROUTES = ['/api/v1/kalshi/market/data', '/kalshi/market/data', '/user/:user_id/requests/count', '/docs'].map(
  (path) => ({ path }),
)

test.each([
  ['GET', 'http://h/kalshi/market/data?ticker=A', 'GET /kalshi/market/data'],
  ['GET', 'http://h/api/v1/kalshi/market/data', 'GET /kalshi/market/data'],
  ['GET', 'http://h:8080/api/v1/kalshi/market/data/?a=/docs', 'GET /kalshi/market/data'],
  ['GET', 'http://a.longer.host/user/a%2Fb/requests/count', 'GET /user/{user_id}/requests/count'],
  ['POST', 'http://h/docs', 'POST /docs'],
  ['PROPFIND', 'http://h/docs', 'other /docs'],
  ['GET', 'http://h/docs/none', 'GET (none)'],
  ['GET', 'http://h', 'GET (none)'],
])('%s %s is %s', (method, url, expected) => {
  const stats = new RequestStats(
    () => ROUTES,
    () => false,
  )
  // The second result comes from a cache and must be the same.
  for (let each = 0; each < 2; each++) {
    const { route, method: counted } = stats.of(new Request(url, { method }))
    expect(`${counted} ${route}`).toBe(expected)
  }
})

test('a path with a variable part finds its route, and adds no series', () => {
  const stats = new RequestStats(
    () => ROUTES,
    () => false,
  )
  for (let each = 0; each < 100; each++) stats.of(new Request(`http://h/user/u${each}/requests/count`))
  expect([...stats.all()].length).toBe(1)
})

test('a request counts with its status, its time in seconds, and the bytes of a streamed body', () => {
  const stats = new RequestStats(
    () => ROUTES,
    (route) => route === '/kalshi/market/data',
  )
  const requests = ['http://h/kalshi/market/data', 'http://h/docs'].map((url) => new Request(url))
  for (const request of requests) {
    followWhole(request, 70)
    stats.of(request).count(request, 200, 2_000)
    stats.of(request).count(request, 503, 500)
  }
  const counted = [...stats.all()].map((each) => [each.bodyBytes, each.seconds.sum, [...each.statusCounts()]])
  const statusCounts = [200, 503].map((status) => ({ status, requests: 1 }))
  expect(counted).toEqual([
    [140, 2.5, statusCounts],
    [null, 2.5, statusCounts],
  ])
})

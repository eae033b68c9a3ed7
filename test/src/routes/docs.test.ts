// The documentation names what there is, and needs no internet.

import { expect, test } from 'bun:test'
import type { OpenApiDocument } from '../../../src/routes/docs.ts'
import { ask, testApp } from '../../support/server.ts'

test('the OpenAPI document names every path of the specification', async () => {
  const { body } = await ask(testApp(), '/docs/json', { headers: {} })
  const { paths } = body as OpenApiDocument
  const market = ['data', 'data/range', 'orderbook-summary', 'list', 'date-range', 'coverage']
  const expected = [
    ...['polymarket', 'kalshi'].flatMap((venue) => market.map((name) => `/api/v1/${venue}/market/${name}`)),
    ...['data', 'data/range', 'orderbook-summary'].map((name) => `/api/v1/market/${name}`),
    '/api/v1/lookup/slug',
    '/api/v1/polymarket/lookup/slug',
    ...['', '/{key_id}', '/{key_id}/rotate', '/{key_id}/last-used', '/{key_id}/name'].map(
      (name) => `/api/v1/keys${name}`,
    ),
    ...['checkout', 'portal', 'status'].map((name) => `/api/v1/subscriptions/${name}`),
    ...['count', 'count/timeframe', 'recent'].map((name) => `/api/v1/user/{user_id}/requests/${name}`),
    ...['usage', 'stats', 'stats/popular-markets', 'webhooks/stripe'].map((name) => `/api/v1/${name}`),
    '/api/v1/health',
    '/api/v1/monitoring/status',
    '/api/v1/metrics',
  ]
  expect(Object.keys(paths).sort()).toEqual(expected.sort())
})

test('parameters tell their type, bounds and default', async () => {
  const { body } = await ask(testApp(), '/docs/json')
  const { parameters } = (body as OpenApiDocument).paths['/api/v1/kalshi/market/orderbook-summary']!['get']!
  const resolution = parameters?.find(({ name }) => name === 'resolution')
  expect(resolution).toMatchObject({
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 3600, default: 60 },
  })
})

test('the page is complete in itself', async () => {
  const { headers, text } = await ask(testApp(), '/docs', { headers: {} })
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toContain('GET /api/v1/kalshi/market/orderbook-summary')
  expect(text).not.toMatch(/<script|src=|https?:\/\//)
})

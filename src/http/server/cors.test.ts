// Tests which answers pages of other sites may read.

import { expect, test } from 'bun:test'
import { QUESTIONS } from '../../questions/routes/registry.ts'
import { allowOrigin, type Origins } from './cors.ts'

const PAGE = 'https://page.example'
const THIS: Origins = new Set([PAGE])

function headersFor(allowed: Origins, path: string, init: RequestInit = { headers: { origin: PAGE } }) {
  const headers = new Headers()
  allowOrigin(allowed, path, new Request('http://localhost', init), headers)
  return Object.fromEntries(headers)
}

test.each([
  ...[
    '/health',
    '/api/v1/health',
    '/market/data',
    '/polymarket/markets/active',
    '/api/v1/kalshi/market/data',
    '/search',
  ],
  ...[
    '/lookup/slug',
    '/files/a',
    '/replay',
    '/stream',
    '/docs',
    '/docs/a',
    '/monitoring/status/',
    '/monitoring/history',
  ],
  ...['/calendar', '/kalshi/calendar', '/download-tickets'],
])('%s may be read', (path) => {
  expect(headersFor(THIS, path)).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'origin' })
})

test.each([
  ...[
    '/keys',
    '/api/v1/user/ann/usage',
    '/metrics',
    '/healthy',
    '/docsx',
    '/monitoring',
    '/other/market/data',
    '/marketing',
  ],
  ...['/download-tickets/x', '/subscriptions', '/stats', '/'],
])('%s may not', (path) => expect(headersFor(THIS, path)).toEqual({}))

test.each(QUESTIONS.map(({ path }) => path))('the question %s may be read', (path) => {
  expect(headersFor(THIS, `/api/v1/kalshi${path}`)).toMatchObject({ 'access-control-allow-origin': PAGE })
})

test('an origin is named where it is allowed, and answers differ by it', () => {
  const other = { headers: { origin: 'https://other.example' } }
  expect(headersFor(THIS, '/health', other)).toEqual({ vary: 'origin' })
  expect(headersFor(THIS, '/health', {})).toEqual({ vary: 'origin' })
  expect(headersFor('*', '/health', other)).toMatchObject({ 'access-control-allow-origin': '*' })
  expect(headersFor('*', '/health', other)).not.toHaveProperty('vary')
  expect(headersFor(null, '/health')).toEqual({})
})

test('an answer lists the headers that may be read, a preflight those that may be sent', () => {
  const preflightHeaders = { origin: PAGE, 'access-control-request-method': 'POST' }
  const plain = headersFor(THIS, '/health')
  expect(plain['access-control-expose-headers']).toContain('x-next-cursor')
  expect(plain).not.toHaveProperty('access-control-allow-methods')
  const preflight = (path: string) => headersFor(THIS, path, { method: 'OPTIONS', headers: preflightHeaders })
  expect(preflight('/health')).toMatchObject({
    ...{ 'access-control-allow-methods': 'GET, HEAD', 'access-control-max-age': '7200' },
    'access-control-allow-headers': expect.stringContaining('authorization'),
  })
  expect(preflight('/health')).not.toHaveProperty('access-control-expose-headers')
  expect(preflight('/api/v1/download-tickets')).toMatchObject({ 'access-control-allow-methods': 'POST' })
  expect(headersFor(THIS, '/health', { headers: preflightHeaders })).toHaveProperty('access-control-expose-headers')
})

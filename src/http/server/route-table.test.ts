// Tests 404 and 405, with the methods that a path accepts.

import { expect, test } from 'bun:test'
import { ask, testApp } from '../../../test/support/server.ts'
import { routeTable } from './route-table.ts'

const table = routeTable(() => [
  { method: 'GET', path: '/a' },
  { method: 'POST', path: '/a' },
  { method: 'DELETE', path: '/keys/:key_id' },
  { method: 'GET', path: '/market/list' },
])

test.each([
  ['/a', ['GET', 'POST', 'HEAD', 'OPTIONS']],
  ['/a/', ['GET', 'POST', 'HEAD', 'OPTIONS']],
  ['/keys/1', ['DELETE', 'OPTIONS']],
  ['/keys/1/2', []],
  ['/ab', []],
  ['/market/list', ['GET', 'HEAD', 'OPTIONS']],
  ['/x/market/list', []],
])('%s takes %p', (path, methods) => expect(table.methodsOf(path)).toEqual(methods))

test.each([
  ['POST', '/health', 405, 'GET, HEAD, OPTIONS'],
  ['PUT', '/keys', 405, 'POST, GET, HEAD, OPTIONS'],
  ['DELETE', '/api/v1/kalshi/market/data', 405, 'GET, HEAD, OPTIONS'],
  ['HEAD', '/webhooks/stripe', 405, 'POST, OPTIONS'],
  ['PATCH', '/api/v1/lookup/slug', 405, 'GET, HEAD, OPTIONS'],
  ['GET', '/api/v2/health', 404, null],
  ['GET', '/api', 404, null],
  ['GET', '/api/v1', 404, null],
])('%s %s is %d', async (method, path, status, allow) => {
  const answer = await ask(testApp(), path, { method })
  expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow])
  expect(answer.body).toMatchObject({ code: status === 405 ? 'method_not_allowed' : 'route_unknown' })
})

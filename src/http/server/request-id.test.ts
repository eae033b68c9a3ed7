// Every response carries a request id.

import { expect, test } from 'bun:test'
import { AUTHORIZED, ask, testApp } from '../../../test/support/server.ts'

const app = testApp()
const idOf = async (path: string, init: RequestInit = {}) => (await ask(app, path, init)).headers.get('x-request-id')
const UUID = /^[0-9a-f-]{36}$/

test.each([
  ['/health', {}],
  ['/nowhere', {}],
  ['/docs', {}],
  ['/docs/json', {}],
  ['/health', { method: 'POST' }],
  ['/health', { method: 'HEAD' }],
  ['/kalshi/market/list', { method: 'HEAD' }],
  ['/kalshi/market/list?limit=x', {}],
  ['/kalshi/market/list', { headers: {} }],
  ['/kalshi/market/data?ticker=KXTEST-26AUG10&date=2026-08-10', {}],
  ['/keys', { method: 'POST', body: 'x'.repeat(100_000) }],
])('the answer to %s carries an id: %#', async (path, init) => expect(await idOf(path, init)).toMatch(UUID))

test('keeps a valid id from the client', async () =>
  expect(await idOf('/health', { headers: { 'x-request-id': 'trace-1.a_B' } })).toBe('trace-1.a_B'))

test.each(['', 'a b', 'x'.repeat(129), '<script>'])('an invalid id is replaced: %p', async (id) =>
  expect(await idOf('/health', { headers: { 'x-request-id': id } })).toMatch(UUID),
)

test('two requests have two ids', async () =>
  expect(await idOf('/health', { headers: AUTHORIZED })).not.toBe(await idOf('/health', { headers: AUTHORIZED })))

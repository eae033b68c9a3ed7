// Tests the Bearer check: which requests pass, and which answers the others get.

import { expect, test } from 'bun:test'
import { AUTHORIZED, ask, fakeAccounts, fakeWorkers, SECRET, TICKER, testApp } from '../../../test/support/server.ts'
import { AccountsUnavailable } from '../../accounts/sql/accounts-unavailable.ts'

const PATH = `/kalshi/market/data?ticker=${TICKER}&date=2026-08-10`
const REVOKED = `bb_revoked${'k'.repeat(36)}`

test.each([
  ['no header', undefined, 'key_missing'],
  ['an empty header', '', 'key_missing'],
  ['the scheme alone', 'Bearer', 'key_missing'],
  ['the bare secret', SECRET, 'key_missing'],
  ['another scheme', 'Basic dXNlcjpwYXNz', 'key_missing'],
  ['two words', `Bearer ${SECRET} x`, 'key_missing'],
  ['an unknown key', `Bearer bb_${'x'.repeat(43)}`, 'key_unknown'],
  ['something else', 'Bearer hello', 'key_unknown'],
  ['a revoked key', `Bearer ${REVOKED}`, 'key_revoked'],
])('%s is 401', async (_, authorization, code) => {
  const workers = fakeWorkers()
  const headers = authorization === undefined ? {} : { authorization }
  const answer = await ask(testApp({ workers }), PATH, { headers })
  expect(answer.status).toBe(401)
  expect(answer.body).toMatchObject({ code, status: 401 })
  const challenge =
    code === 'key_missing' ? 'Bearer realm="backbook"' : 'Bearer realm="backbook", error="invalid_token"'
  expect(answer.headers.get('www-authenticate')).toBe(challenge)
  expect(answer.text).not.toContain(SECRET)
  expect(workers.pages).toEqual([])
})

test('an expired key is 401, and the answer says that it expired', async () => {
  const accounts = { ...fakeAccounts, authenticate: () => ({ ok: false, reason: 'expired' }) as const }
  const answer = await ask(testApp({ accounts }), PATH, { headers: AUTHORIZED })
  expect(answer.body).toMatchObject({ status: 401, code: 'key_expired', detail: expect.stringContaining('expired') })
})

test.each([`Bearer ${SECRET}`, `bearer ${SECRET}`, `BEARER   ${SECRET}`])(
  'the key is taken as %#',
  async (authorization) => expect((await ask(testApp(), PATH, { headers: { authorization } })).status).toBe(200),
)

test.each([
  '/kalshi/market/list',
  '/polymarket/market/list',
  '/kalshi/market/date-range',
  '/kalshi/market/coverage',
  '/kalshi/market/data',
  '/kalshi/market/data/range',
  '/kalshi/market/orderbook-summary',
  '/market/data',
  '/market/data/range',
  '/market/orderbook-summary',
])('%s requires the key before it checks parameters, under both prefixes', async (path) => {
  const paths = [path, `/api/v1${path}`].map((each) => `${each}?nonsense=1`)
  const answers = await Promise.all(paths.map((each) => ask(testApp(), each, { headers: {} })))
  expect(answers.map(({ status }) => status)).toEqual([401, 401])
})

test.each(['/health', '/lookup/slug?slug=a', '/polymarket/lookup/slug?slug=a', '/monitoring/status', '/docs'])(
  '%s requires no key',
  async (path) => expect((await ask(testApp(), path, { headers: {} })).status).not.toBe(401),
)

test('accounts that cannot be read are 503', async () => {
  const accounts = { ...fakeAccounts, authenticate: () => Promise.reject(new AccountsUnavailable('connection lost')) }
  const answer = await ask(testApp({ accounts }), PATH, { headers: AUTHORIZED })
  expect(answer.body).toMatchObject({ status: 503, code: 'accounts_unavailable' })
  expect(answer.text).not.toContain('connection lost')
})

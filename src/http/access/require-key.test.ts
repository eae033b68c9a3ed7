// Tests keys at market endpoints: which are admitted at once, which need a query first, and that every call counts
// once.

import { expect, test } from 'bun:test'
import { fakeAccounts, fakeWorkers, SECRET, TICKER, testApp } from '../../../test/support/server.ts'
import type { Authentication } from '../../accounts/keys/key-directory.ts'
import { AccountsUnavailable } from '../../accounts/sql/accounts-unavailable.ts'
import type { Call } from '../../accounts/usage/call.ts'
import { Meter } from '../../accounts/usage/meter.ts'
import { readPlans } from '../../accounts/usage/plans.ts'

const PATH = `/kalshi/market/date-range?ticker=${TICKER}`
const request = (path = PATH) =>
  new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${SECRET}` } })
const known: Authentication = {
  ok: true,
  key: { keyId: 'k', secretSha256: 'aa', userId: 'ann', plan: 'p', scopes: null },
}
const plans = readPlans({ default: 'p', plans: [{ id: 'p', name: 'P', calls_per_month: 5 }] })

function served(changes: {
  authenticate?: () => Authentication | Promise<Authentication>
  readCalls?: () => Promise<number>
}) {
  const recorded: Call[] = []
  const readCalls = changes.readCalls ?? (async () => 0)
  const meter = new Meter({ plans, readCalls, record: (call) => void recorded.push(call) })
  const accounts = { ...fakeAccounts, plans, meter, authenticate: changes.authenticate ?? (() => known) }
  return { app: testApp({ accounts, workers: fakeWorkers() }), recorded }
}

test('a key that must be looked up, and a user whose calls must be read, are waited for', async () => {
  const authenticate = async () => {
    await Bun.sleep(5)
    return known
  }
  const readCalls = async () => {
    await Bun.sleep(5)
    return 3
  }
  const { app, recorded } = served({ authenticate, readCalls })
  const answers = await Promise.all([app.fetch(request()), app.fetch(request()), app.fetch(request())])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429])
  expect(recorded.map(({ status, counts }) => [status, counts]).sort()).toEqual([
    [200, true],
    [200, true],
    [429, false],
  ])
})

test('a user whose calls cannot be read is refused, and admitted once they can be read', async () => {
  let isAway = true
  const readCalls = async () => {
    if (isAway) throw new AccountsUnavailable('connection lost')
    return 0
  }
  const { app, recorded } = served({ readCalls })
  const away = await app.fetch(request())
  expect([away.status, await away.json()]).toMatchObject([503, { code: 'accounts_unavailable' }])
  isAway = false
  expect((await app.fetch(request())).status).toBe(200)
  expect(recorded).toHaveLength(1)
})

test('each call is counted once, with its path, market and status', async () => {
  const { app, recorded } = served({})
  const paths = [PATH, `/api/v1/kalshi/market/coverage?ticker=${TICKER}`, '/market/data', '/kalshi/market/nothing']
  for (const path of paths) await app.fetch(request(path))
  expect(recorded.map(({ path, venue, market, status, counts }) => [path, venue, market, status, counts])).toEqual([
    ['/kalshi/market/date-range', 'kalshi', TICKER, 200, true],
    ['/api/v1/kalshi/market/coverage', 'kalshi', TICKER, 200, false],
    ['/market/data', 'polymarket', null, 400, false],
  ])
})

test('a path that only looks like a market endpoint needs no key', async () => {
  const response = await testApp().fetch(new Request('http://localhost/lookup/slug?slug=/market/x'))
  expect(response.status).toBe(404)
})

test('a HEAD request or a 304 counts like the full answer', async () => {
  const { app, recorded } = served({})
  const authorization = `Bearer ${SECRET}`
  const requests: RequestInit[] = [
    { method: 'HEAD', headers: { authorization } },
    { headers: { authorization, 'if-none-match': '*' } },
    { method: 'OPTIONS', headers: { authorization } },
    { method: 'POST', headers: { authorization } },
  ]
  const statuses: number[] = []
  for (const init of requests) statuses.push((await app.fetch(new Request(`http://localhost${PATH}`, init))).status)
  expect(statuses).toEqual([200, 304, 204, 405])
  expect(recorded.map(({ method, status, counts }) => [method, status, counts])).toEqual([
    ['HEAD', 200, true],
    ['GET', 304, true],
  ])
})

// Tests the statistics of the server: their public names, and the queries to the accounts.

import { expect, test } from 'bun:test'
import { ask, fakeAccounts, testApp } from '../../test/support/server.ts'
import type { Accounts } from '../accounts/open-accounts.ts'

const counts = (requests: number) => ({ requests, calls: 2, refused: 3, failed: 4 })
const STATISTICS = {
  ...{ users: 5, keys: { total: 6, active: 7 }, total: counts(1) },
  last24Hours: { ...counts(9), hours: [{ hour: '2026-11-21T13:00:00Z', count: 9 }] },
}

test('each count has its name', async () => {
  const app = testApp({ accounts: { ...fakeAccounts, statistics: async () => STATISTICS } })
  const shown = (total: number) => ({ total_requests: total, api_calls: 2, refused: 3, failed: 4 })
  expect((await ask(app, '/stats')).body).toEqual({
    ...{ users: 5, api_keys: 6, active_api_keys: 7, ...shown(1) },
    last_24_hours: { ...shown(9), counts: STATISTICS.last24Hours.hours },
  })
  expect((await ask(app, '/stats?days=1')).status).toBe(400)
})

test('the busiest markets of a number of days', async () => {
  const queries: unknown[] = []
  const popularMarkets: Accounts['popularMarkets'] = async (query) => {
    queries.push(query)
    return [{ venue: 'kalshi', market: 'A', requests: 1 }]
  }
  const app = testApp({ accounts: { ...fakeAccounts, popularMarkets } })
  expect((await ask(app, '/stats/popular-markets')).body).toEqual({
    markets: [{ venue: 'kalshi', market: 'A', requests: 1 }],
  })
  await ask(app, '/stats/popular-markets?limit=1&days=2')
  expect(queries).toEqual([
    { limit: 20, days: 30 },
    { limit: 1, days: 2 },
  ])
  expect((await ask(app, '/stats/popular-markets?limit=0')).status).toBe(400)
  expect((await ask(testApp({ clientAddress: () => '10.0.0.7' }), '/stats')).status).toBe(403)
})

// A request about many books counts as one call per book with data, in the quota and in the rate, or is refused.

import { expect, test } from 'bun:test'
import { AUTHORIZED, ask, fakeAccounts, fakeCatalogue, fakeWorkers, testApp } from '../../../test/support/server.ts'
import type { Call } from '../../accounts/usage/call.ts'
import { Meter } from '../../accounts/usage/meter.ts'
import { readPlans } from '../../accounts/usage/plans.ts'

const PLAN = { id: 'free', name: 'Free', calls_per_month: 20, calls_per_second: 1, burst: 8 }
const entry = { firstDate: '2026-08-10', lastDate: '2026-08-12', dateCount: 2, recordCount: 9, revision: 1 }
const PATH = '/kalshi/markets/orderbook-summary'
const tickers = (count: number) => Array.from({ length: count }, (_, i) => `KX-${i}`).join(',')

function server() {
  const clock = { elapsedMs: 0 }
  const recorded: Call[] = []
  const meter = new Meter({
    plans: readPlans({ default: 'free', plans: [PLAN] }),
    readCalls: async () => 0,
    record: (call) => void recorded.push(call),
    clocks: { elapsedMs: () => clock.elapsedMs, nowMs: () => Date.UTC(2026, 7, 12, 12) + clock.elapsedMs },
  })
  const workers = fakeWorkers()
  const catalogue = fakeCatalogue({ market: (_, market) => (market.startsWith('KX-') ? entry : undefined) })
  const app = testApp({ accounts: { ...fakeAccounts, meter }, catalogue, workers })
  const get = (names: string, method = 'GET') =>
    ask(app, `${PATH}?tickers=${names}&date=2026-08-10`, { method, headers: AUTHORIZED })
  return { clock, recorded, workers, get }
}

test('each book with data is a call, and takes its part of the rate', async () => {
  const { recorded, get } = server()
  const { status, headers } = await get(`${tickers(5)},UNKNOWN`)
  expect(status).toBe(200)
  expect(headers.get('ratelimit')).toMatch(/"month";r=15;.*"burst";r=3;/)
  expect(recorded.map(({ calls, counts }) => [calls, counts])).toEqual([[5, true]])
})

test('a request for more books than the burst has left is refused before any work starts', async () => {
  const { clock, workers, get } = server()
  await get(tickers(5))
  const parsed = workers.summaries.length
  const { status, body, headers } = await get(tickers(5))
  expect([status, body]).toMatchObject([429, { code: 'rate_limited' }])
  expect([headers.get('retry-after'), workers.summaries.length]).toEqual(['3', parsed])
  clock.elapsedMs += 3_000
  expect((await get(tickers(5))).status).toBe(200)
})

test('a request for more books than a burst needs the whole burst', async () => {
  const { clock, get } = server()
  expect((await get(tickers(12))).status).toBe(200)
  clock.elapsedMs += 4_000
  expect((await get(tickers(1))).status).toBe(429)
  clock.elapsedMs += 1_000
  expect((await get(tickers(1))).status).toBe(200)
})

test('a request is refused if the month has fewer calls left, and then uses none', async () => {
  const { clock, get } = server()
  await get(tickers(12))
  clock.elapsedMs += 60_000
  const { status, body } = await get(tickers(9))
  expect([status, body]).toMatchObject([429, { code: 'quota_exceeded' }])
  const { status: fits, headers } = await get(tickers(7), 'HEAD')
  expect([fits, headers.get('ratelimit')]).toMatchObject([200, expect.stringMatching(/"month";r=1;/)])
})

test('a request that is refused for its columns, or that has no stored book, is not a call', async () => {
  const { recorded, get } = server()
  expect((await get(`${tickers(3)}&format=csv&columns=x`)).status).toBe(400)
  expect((await get('A,B')).status).toBe(404)
  expect(recorded.map(({ counts }) => counts)).toEqual([false, false])
})

// A repeated summary comes from memory while the stored days are the same. Otherwise it is computed again.

import { expect, test } from 'bun:test'
import { ask, fakeCatalogue, fakeWorkers, NO_TOKENS, TICKER, testApp } from '../../support/server.ts'

const DAY = `/kalshi/market/orderbook-summary?ticker=${TICKER}&date=2026-08-10`

function server() {
  const state = { stamp: 'first' }
  const workers = fakeWorkers()
  const app = testApp({
    workers,
    catalogue: fakeCatalogue({ stamp: () => state.stamp }),
    config: { ...NO_TOKENS, answerCacheBytes: 1_000_000 },
  })
  const parsed = async (path: string) => {
    const before = workers.summaries.length
    const { body, headers } = await ask(app, path)
    return { isComputed: workers.summaries.length > before, body, headers }
  }
  return { state, parsed }
}

test('the same request is computed once, and gets the same answer', async () => {
  const { parsed } = server()
  const [first, second] = [await parsed(DAY), await parsed(DAY)]
  expect([first.isComputed, second.isComputed]).toEqual([true, false])
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('ratelimit')).toBeString()
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
})

test.each([
  `${DAY}&resolution=30`,
  `${DAY}&fill=range`,
  DAY.replace('08-10', '08-11'),
  `/kalshi/market/orderbook-summary?ticker=${TICKER}&start_timestamp=1786320000&end_timestamp=1786406399`,
])('another one is not the same: %s', async (path) => {
  const { parsed } = server()
  await parsed(DAY)
  expect((await parsed(path)).isComputed).toBe(true)
})

test('a change of the stored data shows at once', async () => {
  const { state, parsed } = server()
  await parsed(DAY)
  state.stamp = 'second'
  expect((await parsed(DAY)).isComputed).toBe(true)
})

test('a day that is not over is computed each time', async () => {
  const { parsed } = server()
  const today = DAY.replace('2026-08-10', '2026-08-12')
  await parsed(today)
  expect((await parsed(today)).isComputed).toBe(true)
})

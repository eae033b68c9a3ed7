// Tests every path of the specification, under both prefixes, and paths that do not exist.

import { expect, test } from 'bun:test'
import { ask, CONDITION, TICKER, testApp } from '../test/support/server.ts'

const POLYMARKET = `condition_id=${CONDITION}`
const KALSHI = `ticker=${TICKER}`
const BOUNDS = 'start_timestamp=1786406390&end_timestamp=1786406401'

test.each([
  ['GET', `/polymarket/market/data?${POLYMARKET}&date=2026-08-10`],
  ['GET', `/polymarket/market/data/range?${POLYMARKET}&${BOUNDS}`],
  ['GET', `/polymarket/market/orderbook-summary?${POLYMARKET}&asset_id=1&date=2026-08-10`],
  ['GET', '/polymarket/market/list'],
  ['GET', `/polymarket/market/date-range?${POLYMARKET}`],
  ['GET', `/polymarket/market/coverage?${POLYMARKET}`],
  ['GET', `/market/data?${POLYMARKET}&date=2026-08-10`],
  ['GET', `/market/data/range?${POLYMARKET}&${BOUNDS}`],
  ['GET', `/market/orderbook-summary?${POLYMARKET}&asset_id=1&date=2026-08-10`],
  ['GET', `/kalshi/market/data?${KALSHI}&date=2026-08-10`],
  ['GET', `/kalshi/market/data/range?${KALSHI}&${BOUNDS}`],
  ['GET', `/kalshi/market/orderbook-summary?${KALSHI}&date=2026-08-10`],
  ['GET', '/kalshi/market/list'],
  ['GET', `/kalshi/market/date-range?${KALSHI}`],
  ['GET', `/kalshi/market/coverage?${KALSHI}`],
  ['POST', '/keys?user_id=a&name=b'],
  ['GET', '/health'],
  ['GET', '/monitoring/status'],
])('%s %s answers alike with and without /api/v1', async (method, path) => {
  const app = testApp()
  const [plain, prefixed] = [await ask(app, path, { method }), await ask(app, `/api/v1${path}`, { method })]
  expect([plain.status, prefixed.status]).toEqual([200, 200])
  expect(plain.headers.get('content-type')).toStartWith('application/json')
  expect(prefixed.text).toBe(plain.text)
})

test.each(['/market/list', '/market/date-range', '/market/coverage', '/kalshi/lookup/slug', '/polymarket/health'])(
  'there is no %s',
  async (path) => expect((await ask(testApp(), path)).body).toMatchObject({ status: 404, code: 'route_unknown' }),
)

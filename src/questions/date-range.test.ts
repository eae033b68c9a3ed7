// Tests market/date-range of both venues.

import { expect, test } from 'bun:test'
import { ask, CONDITION, TICKER, testApp } from '../../test/support/server.ts'

const check = async (path: string, expected: Record<string, unknown>) => {
  for (const prefix of ['', '/api/v1']) expect((await ask(testApp(), prefix + path)).body).toEqual(expected)
}
const stored = { has_data: true, start_date: '2026-08-10', end_date: '2026-08-12', available_date_count: 2 }
const nothing = { has_data: false, start_date: null, end_date: null, available_date_count: 0 }

test('a Kalshi market, its ticker in upper case', () =>
  check(`/kalshi/market/date-range?ticker=${TICKER.toLowerCase()}`, { market_ticker: TICKER, ...stored }))
test('a Polymarket market, its id with 0x', () =>
  check(`/polymarket/market/date-range?condition_id=${CONDITION.slice(2)}`, {
    market_condition_id: CONDITION,
    ...stored,
  }))
test('a market without stored data is not an error', () =>
  check('/kalshi/market/date-range?ticker=none', { market_ticker: 'NONE', ...nothing }))

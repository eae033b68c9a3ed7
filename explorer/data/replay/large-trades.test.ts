// Finds the trades of several days that are in view and have a minimum size, one by one and as buckets.

import { expect, test } from 'bun:test'
import type { TradeColumns } from '../columns/trade-columns.ts'
import { largeTrades } from './large-trades.ts'

const day = (...trades: [ms: number, size: number, side: 'buy' | 'sell' | null][]): TradeColumns => ({
  timestamp: Float64Array.from(trades, ([ms]) => ms),
  record: Float64Array.from(trades, (_, i) => i),
  price: Float64Array.from(trades, ([ms]) => ms / 100),
  size: Float64Array.from(trades, ([, size]) => size),
  side: trades.map(([, , side]) => side),
})

test('large trades are those in view that have at least the minimum size', () => {
  const days = [day([1, 500, 'buy'], [10, 99, 'buy'], [11, 100, 'sell']), day([20, 300, null], [31, 500, 'buy'])]
  const { each, buckets } = largeTrades(days, 100, { fromMs: 5, toMs: 30 })
  expect(each).toMatchObject({ rows: 2, side: ['sell', null] })
  expect([...each.timestamp]).toEqual([11, 20])
  expect([...each.record]).toEqual([2, 0])
  expect([...buckets.vwap]).toEqual([0.11, 0.2])
  expect([...buckets.volume]).toEqual([100, 300])
  expect([...buckets.sellVolume]).toEqual([100, 0])
  expect([...buckets.buyVolume]).toEqual([0, 0])
  expect(largeTrades([], 1, { fromMs: 0, toMs: 9 }).each.rows).toBe(0)
})

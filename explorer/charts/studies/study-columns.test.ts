// Tests studies of trades: sums from the left edge of the view on, and the contracts traded at each price.

import { expect, test } from 'bun:test'
import { runningOf, volumeAtPrice } from './study-columns.ts'

const column = (...values: number[]) => Float64Array.from(values)
const window = { startMs: 0, endMs: 100, resolutionMs: 10, rows: 4 }
const TRADES = {
  ...{ ...window, timestamp: column(0, 10, 30, 90), vwap: column(0.9, 0.4, 0.5, 0.1) },
  ...{ volume: column(500, 10, 30, 7), buyVolume: column(500, 10, 5, 7), sellVolume: column(0, 0, 25, 0) },
  count: column(1, 1, 2, 1),
}

test('delta and VWAP begin with the first bucket in view', () => {
  const { times, delta, vwap } = runningOf([TRADES], { fromMs: 15, toMs: 50 })
  expect([...times]).toEqual([10, 30])
  expect([...delta]).toEqual([10, -10])
  expect(vwap[0]).toBeCloseTo(0.4, 12)
  expect(vwap[1]).toBeCloseTo((0.4 * 10 + 0.5 * 30) / 40, 12)
  expect(runningOf([], { fromMs: 0, toMs: 9 }).times).toHaveLength(0)
})

test('volume at price adds up what was traded within a step, by side', () => {
  const trades = {
    ...{ ...window, resolutionMs: 0, rows: 4, timestamp: column(1, 2, 3, 4), record: column(0, 1, 2, 3) },
    ...{ price: column(0.41, 0.4, 0.419, 0.41), size: column(5, 7, 1, 2) },
    side: ['buy', 'sell', null, 'sell'] as const,
  }
  expect(volumeAtPrice(trades, 0.01)).toEqual([
    { price: 0.4, bought: 0, sold: 7, volume: 7 },
    { price: 0.41, bought: 5, sold: 2, volume: 8 },
  ])
})

// Finds the prices of a chart: around the values in view, zoomed and moved within 0 and 1.

import { expect, test } from 'bun:test'
import type { QuoteWindow, TradeCandles } from '../../data/buckets/bucket-window.ts'
import { movedPrices, pricesAround, zoomedPrices } from './price-range.ts'

const quotes = (...rows: [ms: number, bid: number, ask: number][]) =>
  ({
    ...{ rows: rows.length, resolutionMs: 10 },
    columns: {
      timestamp: Float64Array.from(rows, ([ms]) => ms),
      best_bid: Float64Array.from(rows, (row) => row[1]),
      best_ask: Float64Array.from(rows, (row) => row[2]),
    },
  }) as unknown as QuoteWindow
const trades = (ms: number, low: number, high: number) =>
  ({
    ...{
      rows: 1,
      resolutionMs: 10,
      timestamp: Float64Array.of(ms),
      low: Float64Array.of(low),
      high: Float64Array.of(high),
    },
  }) as unknown as TradeCandles
const SPAN = { fromMs: 100, toMs: 200 }

test('the best prices in view, with room for the levels around them', () => {
  expect(pricesAround([quotes([100, 0.4, 0.42], [150, 0.5, 0.6])], SPAN)).toEqual({ low: 0.33, high: 0.67 })
  // The range is at least six cents high.
  expect(pricesAround([quotes([100, 0.5, 0.5])], SPAN)).toEqual({ low: 0.47, high: 0.53 })
  expect(pricesAround([quotes([100, 0.01, 0.99])], SPAN)).toEqual({ low: 0, high: 1 })
})

test('a bucket outside the view does not count, nor does a side without a price', () => {
  const window = quotes([89, 0.1, 0.9], [90, 0.5, Number.NaN], [200, Number.NaN, 0.6], [201, 0.1, 0.9])
  expect(pricesAround([window], SPAN)).toEqual({ low: 0.46, high: 0.64 })
  expect(pricesAround([window], SPAN, [trades(89, 0.2, 0.8), trades(201, 0.2, 0.8)])).toEqual({ low: 0.46, high: 0.64 })
  expect(pricesAround([quotes()], SPAN)).toEqual({ low: 0, high: 1 })
})

test('trades that are drawn count as well', () => {
  expect(pricesAround([quotes([100, 0.5, 0.5])], SPAN, [trades(150, 0.3, 0.5)])).toEqual({ low: 0.23, high: 0.57 })
})

test('a zoom keeps the price under the pointer, as far as the ends allow', () => {
  expect(zoomedPrices({ low: 0.4, high: 0.6 }, 0.5, 0.45)).toEqual({ low: 0.425, high: 0.525 })
  expect(zoomedPrices({ low: 0.4, high: 0.6 }, 0.0001, 0.5)).toEqual({ low: 0.498, high: 0.502 })
  expect(zoomedPrices({ low: 0, high: 0.6 }, 1.5, 0.5)).toEqual({ low: 0, high: 0.9 })
  expect(zoomedPrices({ low: 0.4, high: 0.6 }, 99, 0.5)).toEqual({ low: 0, high: 1 })
})

test('a move ends at 0 and 1', () => {
  expect(movedPrices({ low: 0.4, high: 0.6 }, 0.1)).toEqual({ low: 0.5, high: 0.7 })
  expect(movedPrices({ low: 0.4, high: 0.6 }, 9)).toEqual({ low: 0.8, high: 1 })
  expect(movedPrices({ low: 0.4, high: 0.6 }, -9)).toEqual({ low: 0, high: 0.2 })
})

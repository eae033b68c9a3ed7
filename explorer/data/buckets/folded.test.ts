// Candles of several hours combine the hourly candles, and equal candles made from all trades and quotes.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { QuoteWindow, TradeCandles } from './bucket-window.ts'
import { foldedQuotes, foldedTrades } from './folded.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-08-10T00:00:00Z')
const NONE = Number.NaN
const window = { startMs: START_MS, endMs: START_MS + 24 * HOUR_MS, resolutionMs: HOUR_MS }

function quotes(hours: readonly number[], mids: readonly number[]): QuoteWindow {
  const column = (by: number) => Float64Array.from(mids, (mid) => mid + by)
  const columns = {
    timestamp: Float64Array.from(hours, (hour) => START_MS + hour * HOUR_MS),
    quote_count: Float64Array.from(mids, (_, i) => i + 1),
    ...{ best_bid: column(-0.01), best_bid_low: column(-0.02), best_bid_high: column(0) },
    ...{ best_ask: column(0.01), best_ask_low: column(0), best_ask_high: column(0.02) },
    ...{ mid_price_open: column(-0.005), mid_price_high: column(0.03), mid_price_low: column(-0.03) },
    ...{ mid_price_close: column(0), spread: column(0) },
  }
  return { ...window, rows: mids.length, columns }
}

test('quotes of four hours: the first, highest, lowest and last known price, and the count', () => {
  const four = foldedQuotes(quotes([0, 1, 3, 4, 9], [NONE, 0.5, 0.25, 0.75, NONE]), 4 * HOUR_MS)
  expect(four).toMatchObject({ rows: 3, resolutionMs: 4 * HOUR_MS, startMs: window.startMs })
  const told = (name: keyof QuoteWindow['columns']) => [...four.columns[name]].map((each) => Number(each.toFixed(6)))
  expect(told('timestamp')).toEqual([0, 4, 8].map((hour) => START_MS + hour * HOUR_MS))
  expect(told('quote_count')).toEqual([6, 4, 5])
  expect(told('mid_price_open')).toEqual([0.495, 0.745, NONE])
  expect(told('mid_price_high')).toEqual([0.53, 0.78, NONE])
  expect(told('mid_price_low')).toEqual([0.22, 0.72, NONE])
  expect(told('mid_price_close')).toEqual([0.25, 0.75, NONE])
  expect(told('best_bid')).toEqual([0.24, 0.74, NONE])
  expect(told('best_ask_high')).toEqual([0.52, 0.77, NONE])
})

test('trades of a day: contracts add up, VWAP is their average price, and they make one candle', () => {
  const hours = fc.array(fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 50 })), { minLength: 1 })
  fc.assert(
    fc.property(hours, (traded) => {
      const column = (of: (cents: number, size: number, i: number) => number) =>
        Float64Array.from(traded, ([cents, size], i) => of(cents, size, i))
      const each: TradeCandles = {
        ...{ ...window, rows: traded.length, timestamp: column((_, __, i) => START_MS + i * HOUR_MS) },
        ...{ vwap: column((cents) => cents / 100), volume: column((_, size) => size), count: column(() => 1) },
        ...{ buyVolume: column((_, size) => size), sellVolume: column(() => 0) },
        ...{ open: column((cents) => cents), close: column((cents) => cents + 0.5) },
        ...{ high: column((cents) => cents + 1), low: column((cents) => cents - 1) },
      }
      const days = foldedTrades(each, 24 * HOUR_MS)
      expect(days.rows).toBe(Math.ceil(traded.length / 24))
      const ofDay = traded.slice(0, 24)
      const size = ofDay.reduce((sum, [, contracts]) => sum + contracts, 0)
      expect(days.volume[0]).toBe(size)
      expect(days.count[0]).toBe(ofDay.length)
      const cents = ofDay.map(([each]) => each)
      expect([days.open[0], days.close[0]]).toEqual([cents[0], cents.at(-1)! + 0.5])
      expect([days.high[0], days.low[0]]).toEqual([Math.max(...cents) + 1, Math.min(...cents) - 1])
      expect(days.vwap[0]).toBeCloseTo(ofDay.reduce((sum, [cents, n]) => sum + (cents / 100) * n, 0) / size, 9)
    }),
  )
})

test('a window is folded once, and stays unchanged if its buckets are that long already', () => {
  const hourly = quotes([0, 1], [0.5, 0.6])
  expect(foldedQuotes(hourly, HOUR_MS)).toBe(hourly)
  expect(foldedQuotes(hourly, 4 * HOUR_MS)).toBe(foldedQuotes(hourly, 4 * HOUR_MS))
})

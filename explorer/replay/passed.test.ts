// Cuts windows at the cursor: whole buckets and columns, and trades up to the record.

import { expect, test } from 'bun:test'
import type { EachTrade, QuoteWindow, TradeCandles } from '../data/buckets/bucket-window.ts'
import type { DepthWindow } from '../data/depth-window.ts'
import { passedDepth, passedEach, passedOfDay, passedQuotes, passedTrades } from './passed.ts'

const numbers = (...values: number[]) => Float64Array.from(values)
const at = (ms: number, record: number | null = null) => ({ ms, record })
const window = { startMs: 0, endMs: 40, resolutionMs: 10 }

test('a bucket is there once its last millisecond has passed', () => {
  const quotes = { ...window, rows: 3, columns: { timestamp: numbers(0, 10, 30), best_bid: numbers(1, 2, 3) } }
  const bids = (ms: number, record: number | null = null) => [
    ...passedQuotes(quotes as unknown as QuoteWindow, at(ms, record)).columns.best_bid,
  ]
  expect([bids(8), bids(9), bids(19), bids(38), bids(39)]).toEqual([[], [1], [1, 2], [1, 2], [1, 2, 3]])
  // More records of that millisecond may follow.
  expect(bids(9, 4)).toEqual([])
  const trades = { ...window, rows: 1, timestamp: numbers(10), volume: numbers(7) } as unknown as TradeCandles
  expect(passedTrades(trades, at(18))).toMatchObject({ rows: 0, resolutionMs: 10, volume: numbers() })
  expect(passedTrades(trades, at(19))).toBe(trades)
  expect(passedTrades(trades, null)).toBe(trades)
})

test('a map keeps its rows, and only the columns that have passed', () => {
  const map: DepthWindow = {
    ...{ ...window, columns: 4, priceStep: 0.01, prices: numbers(0.4, 0.5) },
    sizes: Float32Array.of(1, 2, 3, 4, -5, -6, -7, -8),
    known: [
      [0, 1],
      [3, 3],
    ],
  }
  expect(passedDepth(map, at(8))).toBeNull()
  const cut = passedDepth(map, at(34))!
  expect(cut).toMatchObject({ columns: 3, endMs: 30, known: [[0, 1]] })
  expect([...cut.sizes]).toEqual([1, 2, 3, -5, -6, -7])
  expect(passedDepth(map, at(12))).toMatchObject({ columns: 1, known: [[0, 0]] })
  expect(passedDepth(map, at(39))).toBe(map)
  // The chart compares maps by identity, so equal cuts must be the same object.
  expect(passedDepth(map, at(12))).toBe(passedDepth(map, at(14))!)
})

test('distinguishes trades of one millisecond by their records', () => {
  const trades: EachTrade = {
    ...{ ...window, rows: 4, timestamp: numbers(1, 5, 5, 6), record: numbers(0, 1, 3, 4) },
    ...{ price: numbers(0.1, 0.2, 0.3, 0.4), size: numbers(1, 1, 1, 1), side: ['buy', 'sell', null, 'buy'] },
  }
  const rows = (ms: number, record: number | null = null) => passedEach(trades, at(ms, record)).rows
  expect([rows(0), rows(5), rows(5, 0), rows(5, 2), rows(5, 3), rows(6)]).toEqual([0, 3, 1, 2, 3, 4])
  expect(passedEach(trades, at(5, 2)).side).toEqual(['buy', 'sell'])
  const day = { timestamp: numbers(1, 5, 5), record: numbers(0, 1, 3), price: numbers(), size: numbers(), side: [] }
  expect(passedOfDay(day, '1970-01-01', at(5, 2)).timestamp).toEqual(numbers(1, 5))
  expect(passedOfDay(day, '1969-12-31', at(5, 2))).toBe(day)
})

// Candles of the mid and of trades, and the line in %, have the values of their buckets. They have no value where a
// bucket has no value.

import { expect, test } from 'bun:test'
import type { QuoteWindow, TradeCandles } from '../../data/buckets/bucket-window.ts'
import { candleIn, candlesOf, priceLine } from './price-columns.ts'
import { pricesAround } from './price-range.ts'

const NONE = Number.NaN
const column = (...values: number[]) => Float64Array.from(values)
const window = { startMs: 0, endMs: 100, resolutionMs: 10 }

function quotesOf(times: number[], bids: number[], asks: number[]): QuoteWindow {
  const [bid, ask] = [Float64Array.from(bids), Float64Array.from(asks)]
  const mid = bid.map((each, row) => (each + ask[row]!) / 2)
  const columns = {
    ...{ timestamp: Float64Array.from(times), quote_count: mid, spread: mid },
    ...{ best_bid: bid, best_bid_low: bid, best_bid_high: bid, best_ask: ask, best_ask_low: ask, best_ask_high: ask },
    ...{ mid_price_open: mid, mid_price_high: mid, mid_price_low: mid, mid_price_close: mid },
  }
  return { ...window, rows: times.length, columns }
}

/** Returns candles of trades, one per row. */
function tradesOf(...rows: [ms: number, open: number, high: number, low: number, close: number][]): TradeCandles {
  const of = (at: number) => Float64Array.from(rows, (row) => row[at]!)
  const ones = of(0).fill(1)
  return {
    ...{ ...window, rows: rows.length, timestamp: of(0), open: of(1), high: of(2), low: of(3), close: of(4) },
    ...{ vwap: of(1), volume: ones, buyVolume: ones, sellVolume: ones, count: ones },
  }
}

const QUOTES = quotesOf([0, 10, 20, 30, 40], [0.4, 0.4, 0.2, NONE, NONE], [0.5, 0.51, 0.6, 0.7, NONE])
const TRADES = [tradesOf([10, 0.41, 0.5, 0.4, 0.45]), tradesOf([30, 0.3, 0.35, 0.25, 0.33])]

test('candles of trades are where something was traded, and nowhere else', () => {
  const candles = candlesOf('trades', [QUOTES], TRADES)
  expect([...candles.times]).toEqual([10, 30])
  expect(candleIn(candles, 0, 40)).toEqual([0.41, 0.5, 0.25, 0.33])
  expect(candleIn(candles, 10, 20)).toEqual([0.41, 0.5, 0.4, 0.45])
  expect(candleIn(candles, 0, 10)).toEqual([NONE, NONE, NONE, NONE])
  expect(candleIn(candles, 11, 30)).toEqual([NONE, NONE, NONE, NONE])
  expect(candlesOf('trades', [QUOTES], [])).toMatchObject({ times: column(), open: column() })
})

test('candles of the mid are those of the quotes', () => {
  const candles = candlesOf('mid', [QUOTES], TRADES)
  expect([...candles.times]).toEqual([0, 10, 20, 30, 40])
  expect(candleIn(candles, 20, 40)).toEqual([0.4, 0.4, 0.4, 0.4])
  expect(candleIn(candles, 30, 40)).toEqual([NONE, NONE, NONE, NONE])
})

test('the line is the mid, or the last trade if the spread exceeds 10 cents; empty without a trade or a book', () => {
  const line = priceLine([QUOTES], TRADES)
  expect([...line.values]).toEqual([0.45, 0.45, 0.45, 0.33, NONE])
  expect([...line.isTrade]).toEqual([0, 1, 1, 1, 0])
  expect([...priceLine([QUOTES], []).values]).toEqual([0.45, NONE, NONE, NONE, NONE])
  expect(priceLine([], TRADES).values).toHaveLength(0)
})

test('the price range includes the drawn trades', () => {
  const span = { fromMs: 0, toMs: 29 }
  expect(pricesAround([QUOTES], span)).toEqual({ low: 0.06, high: 0.74 })
  const far = tradesOf([10, 0.5, 0.9, 0.5, 0.5], [40, 0.01, 0.01, 0.01, 0.01])
  expect(pricesAround([QUOTES], span, [far])).toEqual({ low: 0, high: 1 })
  expect(pricesAround([], span, [tradesOf([10, 0.5, 0.5, 0.5, 0.5])])).toEqual({ low: 0.47, high: 0.53 })
})

// Finds the best prices over time, from buckets or from the columns of a depth map.

import { expect, test } from 'bun:test'
import { bestOfDepth, bestOfQuotes } from './best-prices.ts'
import { QUOTE_COLUMNS, type QuoteWindow } from './buckets/bucket-window.ts'
import type { DepthWindow } from './depth-window.ts'

const { NaN: NONE } = Number

test('buckets of several windows follow one another', () => {
  const window = (start: number): QuoteWindow => {
    const columns = QUOTE_COLUMNS.map((name, n) => [name, Float64Array.of(start + n)])
    return { startMs: start, endMs: start + 1, resolutionMs: 1, rows: 1, columns: Object.fromEntries(columns) }
  }
  const { times, bid, ask, ranges, resolutionMs } = bestOfQuotes([window(0), window(100)], 1)
  const at = (name: (typeof QUOTE_COLUMNS)[number]) => [0, 100].map((start) => start + QUOTE_COLUMNS.indexOf(name))
  expect([times, bid, ask].map((each) => [...each])).toEqual([at('timestamp'), at('best_bid'), at('best_ask')])
  expect([...ranges!.bid.low, ...ranges!.bid.high]).toEqual([...at('best_bid_low'), ...at('best_bid_high')])
  expect([...ranges!.ask.low, ...ranges!.ask.high]).toEqual([...at('best_ask_low'), ...at('best_ask_high')])
  expect(resolutionMs).toBe(1)
})

test('the best prices of a depth map are its highest bid and its lowest ask', () => {
  const window: DepthWindow = {
    ...{ startMs: 1_000, endMs: 1_400, resolutionMs: 100, columns: 4, priceStep: 0.01, known: [] },
    prices: Float64Array.of(0.4, 0.41, 0.5, 0.52),
    // The rows are bids at 0.40 and 0.41 and asks at 0.50 and 0.52.
    sizes: Float32Array.of(5, 5, 0, 0, 0, 1, 0, 0, -2, 0, -3, 0, -1, -1, -1, 0),
  }
  for (const best of [bestOfDepth([window], 100), bestOfDepth([window], 100)]) {
    expect([...best.times]).toEqual([1_000, 1_100, 1_200, 1_300])
    expect([...best.bid]).toEqual([0.4, 0.41, NONE, NONE])
    expect([...best.ask]).toEqual([0.5, 0.52, 0.5, NONE])
    expect(best.ranges).toEqual({ bid: { low: best.bid, high: best.bid }, ask: { low: best.ask, high: best.ask } })
  }
})

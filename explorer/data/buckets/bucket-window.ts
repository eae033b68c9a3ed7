// Types of a time window and its content: buckets of quotes, buckets of trades, or single trades.

import type { TradeColumns } from '../columns/trade-columns.ts'

export type TimeWindow = { startMs: number; endMs: number; resolutionMs: number }

export const QUOTE_COLUMNS = [
  'timestamp',
  'quote_count',
  'best_bid',
  'best_bid_low',
  'best_bid_high',
  'best_ask',
  'best_ask_low',
  'best_ask_high',
  'mid_price_open',
  'mid_price_high',
  'mid_price_low',
  'mid_price_close',
  'spread',
] as const

type Column = (typeof QUOTE_COLUMNS)[number]

/** One row per bucket. Prices are dollars, NaN where there is none; `timestamp` is the start of the bucket, Unix ms. */
export type QuoteWindow = TimeWindow & { rows: number; columns: Readonly<Record<Column, Float64Array>> }

/** One row for each bucket with trades, both sides together: the start of the bucket (Unix ms), the average price
 *  (dollars), the contracts that takers bought and sold, and the number of trades. */
export type TradeWindow = TimeWindow & {
  rows: number
  timestamp: Float64Array
  vwap: Float64Array
  volume: Float64Array
  buyVolume: Float64Array
  sellVolume: Float64Array
  count: Float64Array
}

/** Also holds the first, highest, lowest and last price of each bucket, dollars. */
export type TradeCandles = TradeWindow & {
  open: Float64Array
  high: Float64Array
  low: Float64Array
  close: Float64Array
}

export type EachTrade = TimeWindow & TradeColumns & { rows: number }

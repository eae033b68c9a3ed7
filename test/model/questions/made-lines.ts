// Makes lines and requests that only the tests of the questions need.

import type { JsonObject } from '../json.ts'
import { CONDITION, NOON, TICKER } from '../lines.ts'
import { loadTexts } from '../model.ts'
import { type Answer, type Ask, modelAsk, type Query } from './model-ask.ts'

export const NOW = Date.parse('2026-09-01')
export const DAY_MS = 86_400_000

export const asking = (...captures: string[]): Ask => modelAsk(loadTexts(captures, NOW), NOW)

/** Asks about the market TICKER, unless the query names another one. */
export const askKalshi = (captures: string[], question: string, query: Query): Promise<Answer> =>
  asking(...captures)(`/kalshi/market/${question}`, { ticker: TICKER, ...query })
export const askPolymarket = (captures: string[], question: string, query: Query): Promise<Answer> =>
  asking(...captures)(`/polymarket/market/${question}`, { condition_id: CONDITION, asset_id: 'A', ...query })

export const at = (ms: number) => ({ timestamp: String(NOON + ms) })
export const window = (from: number, to: number): Query => ({
  start_timestamp: String(NOON + from),
  end_timestamp: String(NOON + to),
})

export const kalshiPrint = (ms: number, msg: JsonObject) => ({
  type: 'trade',
  sid: 2,
  seq: 1,
  msg: { market_ticker: TICKER, ts_ms: NOON + ms, ...msg },
})
/** Makes a trade in the present form. */
export const kalshiFill = (ms: number, price: string, count: string, taker: string | null, id = `t${ms}`) =>
  kalshiPrint(ms, { trade_id: id, yes_price_dollars: price, count_fp: count, taker_side: taker })
export const polymarketFill = (ms: number, price: string, size: string, side: string, more: JsonObject = {}) => ({
  event_type: 'last_trade_price',
  market: CONDITION,
  asset_id: 'A',
  timestamp: String(NOON + ms),
  price,
  size,
  side,
  ...more,
})
export const polymarketGap = (ms: number, asset: string | null = 'A') => ({
  type: 'gap',
  venue: 'polymarket',
  market: CONDITION,
  ...(asset === null ? {} : { asset_id: asset }),
  msg: { reason: 'reconnect', from: NOON + ms, to: NOON + ms + 500 },
})
export const tickChange = (ms: number, from: string, to: string) => ({
  event_type: 'tick_size_change',
  market: CONDITION,
  asset_id: 'A',
  old_tick_size: from,
  new_tick_size: to,
  timestamp: String(NOON + ms),
})

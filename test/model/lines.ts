// Makes lines of captures for the tests of the model. All times are ms after the noon of `DAY`.

import type { JsonObject } from './json.ts'
import type { ModelRecord, ModelStore } from './model.ts'

export const DAY = '2026-08-10'
export const NOON = Date.parse(`${DAY}T12:00:00Z`)
export const NOW = Date.parse('2026-09-01')
export const TICKER = 'KXTEST-1'
export const CONDITION = `0x${'ab'.repeat(32)}`

export const capture = (...lines: JsonObject[]) => lines.map((line) => JSON.stringify(line)).join('\n')
export const received = (ms: number, event: JsonObject) => ({ recv_ms: NOON + ms, event })

const kalshi = (type: string, msg: JsonObject) => ({ type, sid: 1, seq: 7, msg: { market_ticker: TICKER, ...msg } })
type Pair = [price: string, size: string]

export const kalshiSnapshot = (yes: Pair[], no: Pair[] = []) =>
  kalshi('orderbook_snapshot', { yes_dollars_fp: yes, no_dollars_fp: no })
export const kalshiDelta = (ms: number, price: string | null, amount: string, side = 'yes') =>
  kalshi('orderbook_delta', { price_dollars: price, delta_fp: amount, side, ts_ms: NOON + ms })
export const kalshiTrade = (ms: number, id: string) => kalshi('trade', { trade_id: id, ts_ms: NOON + ms })
export const kalshiGap = (ms: number) => ({
  type: 'gap',
  venue: 'kalshi',
  market: TICKER,
  msg: { reason: 'reconnect', from: NOON + ms, to: NOON + ms },
})

const printed = (levels: Pair[]) => levels.map(([price, size]) => ({ price, size }))
export const book = (ms: number, bids: Pair[], asks: Pair[], asset = 'A') => ({
  event_type: 'book',
  market: CONDITION,
  asset_id: asset,
  timestamp: String(NOON + ms),
  bids: printed(bids),
  asks: printed(asks),
})
export const priceChange = (ms: number, ...entries: JsonObject[]) => ({
  event_type: 'price_change',
  market: CONDITION,
  timestamp: String(NOON + ms),
  price_changes: entries.map((entry) => ({ asset_id: 'A', side: 'BUY', ...entry })),
})

/** Returns the stored records of the Kalshi market as `ms amount` (snapshots as `ms price`, trades as `ms id`). */
export function kalshiOrder(store: ModelStore): string[] {
  return store.dates('kalshi', TICKER).flatMap((date) => store.records('kalshi', TICKER, date).map(describe))
}

function describe({ type, timestamp, msg }: ModelRecord): string {
  const levels = msg['yes_dollars_fp'] as Pair[] | undefined
  const what = type === 'snapshot' ? `book ${levels?.[0]?.[0]}` : (msg['delta_fp'] ?? msg['trade_id'] ?? type)
  return `${timestamp - NOON} ${what}`
}

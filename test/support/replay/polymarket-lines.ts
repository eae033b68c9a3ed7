// Lines of a capture of Polymarket, as a recorder writes them.

import { T0 } from './kalshi-lines.ts'

export { T0 }

export const conditionOf = (digit: string) => `0x${digit.repeat(64)}`

type Levels = [price: string, size: string][]

const line = (recvMs: number, event: object) => JSON.stringify({ recv_ms: recvMs, event })
const printed = (levels: Levels) => levels.map(([price, size]) => ({ price, size }))

export const book = (market: string, asset: string, atMs: number, bids: Levels, asks: Levels): string =>
  line(atMs + 20, {
    ...{ market, asset_id: asset, timestamp: String(atMs), hash: '0'.repeat(40) },
    ...{ bids: printed(bids), asks: printed(asks), tick_size: '0.01', event_type: 'book', last_trade_price: '' },
  })

type Change = { asset_id: string; price: string; size: string; side: 'BUY' | 'SELL' }

export const changes = (market: string, atMs: number, entries: Change[]): string =>
  line(atMs + 20, { market, price_changes: entries, timestamp: String(atMs), event_type: 'price_change' })

export const tradePrice = (market: string, asset: string, atMs: number, price: string, size: string): string =>
  line(atMs + 20, {
    ...{ market, asset_id: asset, price, size, fee_rate_bps: '0', side: 'BUY' },
    ...{ timestamp: String(atMs), event_type: 'last_trade_price' },
  })

/** Returns a message about the whole market, not about one token. */
export const resolved = (market: string, atMs: number): string =>
  line(atMs + 20, { id: '1', market, winning_outcome: 'Yes', timestamp: String(atMs), event_type: 'market_resolved' })

export const gap = (market: string, asset: string | null, fromMs: number, toMs: number): string =>
  JSON.stringify({
    ...{ type: 'gap', venue: 'polymarket', market },
    ...(asset === null ? {} : { asset_id: asset }),
    msg: { reason: 'disconnect', from: fromMs, to: toMs },
  })

// Which prices a chart shows where nobody chose them: the best ones of what is shown, with room for what rests around.

import type { QuoteWindow, TradeCandles } from '../../data/buckets/bucket-window.ts'
import type { Span } from '../../state/shown.ts'

const WHOLE = { low: 0, high: 1 }
const ROOM_DOLLARS = 0.03
const ROOM_SHARE = 0.35
const ROUND_TO = 100

/** `trades` are those that are drawn too. */
export function pricesAround(
  quotes: readonly QuoteWindow[],
  { fromMs, toMs }: Span,
  trades: readonly TradeCandles[] = [],
): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity]
  for (const { columns, rows, resolutionMs } of quotes) {
    const { timestamp, best_bid: bids, best_ask: asks } = columns
    for (let row = 0; row < rows; row++) {
      if (timestamp[row]! + resolutionMs < fromMs || timestamp[row]! > toMs) continue
      const [bid, ask] = [bids[row]!, asks[row]!]
      if (bid < low) low = bid
      if (ask < low) low = ask
      if (bid > high) high = bid
      if (ask > high) high = ask
    }
  }
  for (const { timestamp, rows, resolutionMs, ...prices } of trades) {
    for (let row = 0; row < rows; row++) {
      if (timestamp[row]! + resolutionMs < fromMs || timestamp[row]! > toMs) continue
      low = Math.min(low, prices.low[row]!)
      high = Math.max(high, prices.high[row]!)
    }
  }
  if (low > high) return WHOLE
  const room = Math.max(ROOM_DOLLARS, (high - low) * ROOM_SHARE)
  return {
    low: Math.max(0, Math.floor((low - room) * ROUND_TO) / ROUND_TO),
    high: Math.min(1, Math.ceil((high + room) * ROUND_TO) / ROUND_TO),
  }
}

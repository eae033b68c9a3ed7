// Chooses the price range of a chart if the reader has not: the best prices in view, with room for the levels around
// them. Also zooms and moves a price range.

import type { QuoteWindow, TradeCandles } from '../../data/buckets/bucket-window.ts'
import type { Span } from '../../state/shown.ts'

export type Prices = { low: number; high: number }

const WHOLE = { low: 0, high: 1 }
const ROOM_DOLLARS = 0.03
const ROOM_SHARE = 0.35
const ROUND_TO = 100

/** Returns the price range around the best prices in a span and around the prices of `trades`, which are drawn too. */
export function pricesAround(
  quotes: readonly QuoteWindow[],
  { fromMs, toMs }: Span,
  trades: readonly TradeCandles[] = [],
): Prices {
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

const PRICES_MIN = 0.004

/** Zooms a price range around a price. The price keeps its place as far as the limits 0 and 1 allow. */
export function zoomedPrices({ low, high }: Prices, factor: number, around: number): Prices {
  const span = Math.min(1, Math.max(PRICES_MIN, (high - low) * factor))
  return within(around - (span * (around - low)) / (high - low), span)
}

/** Moves a price range by dollars, within 0 and 1. */
export const movedPrices = ({ low, high }: Prices, by: number): Prices => within(low + by, high - low)

function within(low: number, span: number): Prices {
  const bottom = Math.min(1 - span, Math.max(0, low))
  return { low: round(bottom), high: round(bottom + span) }
}

const round = (dollars: number): number => Math.round(dollars * 1e4) / 1e4

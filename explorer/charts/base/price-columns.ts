// Computes the data of a chart without sizes: candles of the mid price or of trades, or a single price line.

import { joinedColumn } from '../../data/best-prices.ts'
import type { QuoteWindow, TradeCandles } from '../../data/buckets/bucket-window.ts'
import { firstKnown, lastKnown, least, most } from '../../data/buckets/folded.ts'
import { countUpTo } from '../../data/columns/count-up-to.ts'
import { joined } from '../../data/columns/joined.ts'
import type { Stretch } from '../../state/view.ts'

export type Candles = {
  /** Starts of candles, Unix ms. */
  times: Float64Array
  resolutionMs: number
  /** Dollars, NaN where there is no candle. */
  open: Float64Array
  high: Float64Array
  low: Float64Array
  close: Float64Array
}

/** Returns candles of trades or of the mid price. Trades have no candle where nothing was traded. */
export function candlesOf(
  which: Stretch['candlesOf'],
  quotes: readonly QuoteWindow[],
  trades: readonly TradeCandles[],
): Candles {
  if (which === 'trades') {
    const column = (name: 'timestamp' | 'open' | 'high' | 'low' | 'close') => joined(trades.map((each) => each[name]))
    const [open, high, low, close] = [column('open'), column('high'), column('low'), column('close')]
    return { times: column('timestamp'), resolutionMs: trades[0]?.resolutionMs ?? 0, open, high, low, close }
  }
  const column = (name: keyof QuoteWindow['columns']) => joinedColumn(quotes, name)
  return {
    ...{ times: column('timestamp'), resolutionMs: quotes[0]?.resolutionMs ?? 0 },
    ...{ open: column('mid_price_open'), high: column('mid_price_high') },
    ...{ low: column('mid_price_low'), close: column('mid_price_close') },
  }
}

/** Merges all candles that start in a span into one: open, high, low and close. NaN where no candle has a value. */
export function candleIn({ times, open, high, low, close }: Candles, fromMs: number, toMs: number) {
  const [from, to] = [countUpTo(times, fromMs - 1), countUpTo(times, toMs - 1)]
  return [firstKnown(open, from, to), most(high, from, to), least(low, from, to), lastKnown(close, from, to)] as const
}

export type PriceLine = {
  /** Starts of buckets, Unix ms. */
  times: Float64Array
  resolutionMs: number
  /** Dollars, NaN where there is no price. */
  values: Float64Array
  /** 1 where the value is the last trade's price. */
  isTrade: Uint8Array
}

/** Above this spread, in dollars, the mid price says little, so the last trade is shown, as Polymarket does. */
const SPREAD_MAX = 0.1

/** Returns the price at the end of each bucket: the mid price, or the last trade in view so far if the spread is wider
 *  than 10 cents or one side is empty. NaN if both sides are empty. */
export function priceLine(quotes: readonly QuoteWindow[], trades: readonly TradeCandles[]): PriceLine {
  const [times, bids, asks] = [
    joinedColumn(quotes, 'timestamp'),
    joinedColumn(quotes, 'best_bid'),
    joinedColumn(quotes, 'best_ask'),
  ]
  const [tradeTimes, closes] = [joined(trades.map((each) => each.timestamp)), joined(trades.map((each) => each.close))]
  const isTrade = new Uint8Array(times.length)
  const values = times.map((ms, row) => {
    const [bid, ask] = [bids[row]!, asks[row]!]
    if (ask - bid <= SPREAD_MAX + 1e-9) return Number(((bid + ask) / 2).toFixed(6))
    // If there are neither bids nor asks, the book may be unknown, and so may its trades: the last trade is not shown.
    if (Number.isNaN(bid) && Number.isNaN(ask)) return Number.NaN
    isTrade[row] = 1
    return closes[countUpTo(tradeTimes, ms) - 1] ?? Number.NaN
  })
  return { times, resolutionMs: quotes[0]?.resolutionMs ?? 0, values, isTrade }
}

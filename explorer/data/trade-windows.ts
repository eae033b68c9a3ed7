// Windows of trades, in buckets with what was bought and sold.

import type { BookId } from '../state/view.ts'
import { askBuckets, keptWindows, windowName } from './book-windows.ts'
import type { TimeWindow, TradeCandles } from './buckets/bucket-window.ts'
import type { Entry } from './kept.ts'
import { ofSide } from './no-side/of-side.ts'

const COLUMNS = [
  ...(['timestamp', 'open', 'high', 'low', 'close', 'vwap'] as const),
  ...(['volume', 'buy_volume', 'sell_volume', 'trade_count'] as const),
] as const

const BYTES_MAX = 16 * 1024 * 1024
const kept = keptWindows<TradeCandles>(BYTES_MAX, ({ rows }) => rows * COLUMNS.length * 8)

export function tradeWindow(book: BookId, window: TimeWindow): Entry<TradeCandles> {
  return kept.take(windowName(book, window), (signal) => load(book, window, signal))
}

/** Says which windows `owner` wants from now on: what it wanted before is asked for no longer. */
export const wantTrades = (owner: object, book: BookId, windows: readonly TimeWindow[]): void =>
  kept.want(owner, new Set(windows.map((window) => windowName(book, window))))

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<TradeCandles> {
  const { rows, columns } = await askBuckets(book, 'trade-summary', window, COLUMNS, signal)
  const { buy_volume: buyVolume, sell_volume: sellVolume, trade_count: count, ...others } = columns
  const traded: TradeCandles = { ...window, rows, ...others, buyVolume, sellVolume, count }
  return ofSide(book, traded, ({ flippedTrades }) => flippedTrades)
}

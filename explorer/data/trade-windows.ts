// The cache of trade windows: candles and volumes by side, in buckets.

import type { BookId } from '../state/view.ts'
import { askBuckets, cachedWindows, windowName } from './book-windows.ts'
import type { TimeWindow, TradeCandles } from './buckets/bucket-window.ts'
import { ofSide } from './no-side/of-side.ts'

const COLUMNS = [
  ...(['timestamp', 'open', 'high', 'low', 'close', 'vwap'] as const),
  ...(['volume', 'buy_volume', 'sell_volume', 'trade_count'] as const),
] as const

export const { take: tradeWindow, want: wantTrades } = cachedWindows<TimeWindow, TradeCandles>({
  bytesMax: 16 * 1024 * 1024,
  bytesOf: ({ rows }) => rows * COLUMNS.length * 8,
  nameOf: windowName,
  load,
})

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<TradeCandles> {
  const { rows, columns } = await askBuckets(book, 'trade-summary', window, COLUMNS, signal)
  const { buy_volume: buyVolume, sell_volume: sellVolume, trade_count: count, ...others } = columns
  const traded: TradeCandles = { ...window, rows, ...others, buyVolume, sellVolume, count }
  return ofSide(book, traded, ({ flippedTrades }) => flippedTrades)
}

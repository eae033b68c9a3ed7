// The cache of windows that hold single trades. These windows are used where there are few trades.

import type { BookId } from '../state/view.ts'
import { askWindow, cachedWindows, windowName } from './book-windows.ts'
import type { EachTrade, TimeWindow } from './buckets/bucket-window.ts'
import { ArrowTable } from './columns/arrow.ts'
import { TRADE_NUMBERS, tradesIn } from './columns/trade-columns.ts'
import { ofSide } from './no-side/of-side.ts'

/** A window with more trades is drawn in buckets. */
export const TRADES_MAX = 5_000

const BYTES_A_TRADE = 48
export const { take: eachTrade } = cachedWindows<TimeWindow, EachTrade>({
  bytesMax: 16 * 1024 * 1024,
  bytesOf: ({ rows }) => rows * BYTES_A_TRADE,
  nameOf: windowName,
  load,
})

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<EachTrade> {
  const query = { limit: TRADES_MAX, columns: [...TRADE_NUMBERS, 'side'].join(',') }
  const table = new ArrowTable(await askWindow(book, 'trades', window, query, signal))
  const trades = { ...window, rows: table.rows, ...tradesIn([table]) }
  return ofSide(book, trades, ({ flippedEach }) => flippedEach)
}

// Windows of trades, each by itself: for where they are few.

import type { BookId } from '../state/view.ts'
import { ArrowTable } from './arrow.ts'
import { askWindow, keptWindows, windowName } from './book-windows.ts'
import type { EachTrade, Side, TimeWindow } from './buckets/bucket-window.ts'
import { ofSide } from './no-side/of-side.ts'

/** A window with more is drawn in buckets. */
export const TRADES_MAX = 5_000

const BYTES_A_TRADE = 48
export const { take: eachTrade } = keptWindows<TimeWindow, EachTrade>({
  bytesMax: 16 * 1024 * 1024,
  bytesOf: ({ rows }) => rows * BYTES_A_TRADE,
  nameOf: windowName,
  load,
})

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<EachTrade> {
  const query = { limit: TRADES_MAX, columns: 'timestamp,price,size,side,record' }
  const table = new ArrowTable(await askWindow(book, 'trades', window, query, signal))
  const trades = {
    ...window,
    rows: table.rows,
    timestamp: table.numbers('timestamp'),
    price: table.numbers('price'),
    size: table.numbers('size'),
    side: table.texts('side') as Side[],
    record: table.numbers('record'),
  }
  return ofSide(book, trades, ({ flippedEach }) => flippedEach)
}

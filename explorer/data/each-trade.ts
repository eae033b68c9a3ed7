// Windows of trades, each by itself: for where they are few.

import type { BookId } from '../state/view.ts'
import { ArrowTable } from './arrow.ts'
import { askWindow, windowName } from './book-windows.ts'
import type { TimeWindow } from './buckets/bucket-window.ts'
import { type Entry, Kept } from './kept.ts'

export type Side = 'buy' | 'sell' | null

export type EachTrade = TimeWindow & {
  rows: number
  timestamp: Float64Array
  /** Dollars. */
  price: Float64Array
  /** Contracts. */
  size: Float64Array
  /** What the taker did; null where the venue does not say. */
  side: readonly Side[]
  /** Its place in its date. */
  record: Float64Array
}

/** A window with more is drawn in buckets. */
export const TRADES_MAX = 5_000

const BYTES_A_TRADE = 48
const BYTES_MAX = 16 * 1024 * 1024
const kept = new Kept<EachTrade>(BYTES_MAX, ({ rows }) => rows * BYTES_A_TRADE)

export const eachTrade = (book: BookId, window: TimeWindow): Entry<EachTrade> =>
  kept.take(windowName(book, window), (signal) => load(book, window, signal))

export const renewEachTrade = (matches: (name: string) => boolean): void => kept.renew(matches)

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<EachTrade> {
  const query = { limit: TRADES_MAX, columns: 'timestamp,price,size,side,record' }
  const table = new ArrowTable(await askWindow(book, 'trades', window, query, signal))
  return {
    ...window,
    rows: table.rows,
    timestamp: table.numbers('timestamp'),
    price: table.numbers('price'),
    size: table.numbers('size'),
    side: table.texts('side') as Side[],
    record: table.numbers('record'),
  }
}

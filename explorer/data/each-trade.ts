// Windows of trades, each by itself: for where they are few.

import { tableFromIPC } from '@uwdata/flechette'
import type { BookId } from '../state/view.ts'
import { ask } from './ask.ts'
import { bookQuery, bookText, marketPath } from './book-query.ts'
import { type Entry, Kept } from './kept.ts'
import type { TimeWindow } from './level-of-detail.ts'

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
}

/** A window with more is drawn in buckets. */
export const TRADES_MAX = 5_000

const BYTES_A_TRADE = 40
const BYTES_MAX = 16 * 1024 * 1024
const kept = new Kept<EachTrade>(BYTES_MAX, ({ rows }) => rows * BYTES_A_TRADE)

const nameOf = (book: BookId, { startMs, resolutionMs }: TimeWindow) => `${bookText(book)} ${startMs} ${resolutionMs}`

export const eachTrade = (book: BookId, window: TimeWindow): Entry<EachTrade> =>
  kept.take(nameOf(book, window), (signal) => load(book, window, signal))

export const renewEachTrade = (matches: (name: string) => boolean): void => kept.renew(matches)

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<EachTrade> {
  const query = {
    ...bookQuery(book),
    start_timestamp: window.startMs,
    end_timestamp: window.endMs - 1,
    limit: TRADES_MAX,
    columns: 'timestamp,price,size,side',
    format: 'arrow',
  }
  const response = await ask(marketPath(book, 'trades'), query, signal)
  const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()))
  const numbers = (name: string) =>
    Float64Array.from(table.getChild(name).toArray() as ArrayLike<unknown>, (value) => Number(value))
  const side = Array.from(table.getChild('side').toArray() as ArrayLike<Side>)
  return {
    ...window,
    rows: table.numRows,
    ...{ timestamp: numbers('timestamp'), price: numbers('price') },
    size: numbers('size'),
    side,
  }
}

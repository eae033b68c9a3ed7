// Windows of trades, in buckets with what was bought and sold.

import { tableFromIPC } from '@uwdata/flechette'
import type { BookId } from '../state/view.ts'
import { ask } from './ask.ts'
import { bookQuery, bookText, marketPath } from './book-query.ts'
import { type Entry, Kept } from './kept.ts'
import type { TimeWindow } from './level-of-detail.ts'

const MS_PER_SECOND = 1_000

/** Of a bucket with trades each, whatever their side: when it begins, Unix ms, what they cost on average, and how many
 *  contracts takers bought and sold. */
export type TradeWindow = TimeWindow & {
  rows: number
  timestamp: Float64Array
  vwap: Float64Array
  volume: Float64Array
  buyVolume: Float64Array
  sellVolume: Float64Array
  count: Float64Array
}

const COLUMNS = ['timestamp', 'vwap', 'volume', 'buy_volume', 'sell_volume', 'trade_count'] as const

const BYTES_MAX = 16 * 1024 * 1024
const kept = new Kept<TradeWindow>(BYTES_MAX, ({ rows }) => rows * COLUMNS.length * 8)

export function tradeWindow(book: BookId, window: TimeWindow): Entry<TradeWindow> {
  return kept.take(nameOf(book, window), (signal) => load(book, window, signal))
}

const nameOf = (book: BookId, { startMs, resolutionMs }: TimeWindow) => `${bookText(book)} ${startMs} ${resolutionMs}`

/** Says which windows `owner` wants from now on: what it wanted before is asked for no longer. */
export const wantTrades = (owner: object, book: BookId, windows: readonly TimeWindow[]): void =>
  kept.want(owner, new Set(windows.map((window) => nameOf(book, window))))

export const renewTrades = (matches: (name: string) => boolean): void => kept.renew(matches)

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<TradeWindow> {
  const query = {
    ...bookQuery(book),
    start_timestamp: window.startMs,
    end_timestamp: window.endMs - 1,
    resolution: Math.max(1, window.resolutionMs / MS_PER_SECOND),
    columns: COLUMNS.join(','),
    format: 'arrow',
  }
  const response = await ask(marketPath(book, 'trade-summary'), query, signal)
  const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()))
  const [timestamp, vwap, volume, buyVolume, sellVolume, count] = COLUMNS.map((name) =>
    Float64Array.from(table.getChild(name).toArray() as ArrayLike<unknown>, (value) =>
      value === null ? Number.NaN : Number(value),
    ),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
  return { ...window, rows: table.numRows, timestamp, vwap, volume, buyVolume, sellVolume, count }
}

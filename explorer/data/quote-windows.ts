// Windows of best prices, spreads and counts: buckets of the summary, as columns.

import { tableFromIPC } from '@uwdata/flechette'
import type { BookId } from '../state/view.ts'
import { ask } from './ask.ts'
import { bookQuery, bookText, marketPath } from './book-query.ts'
import { type Entry, Kept } from './kept.ts'
import type { TimeWindow } from './level-of-detail.ts'

const MS_PER_SECOND = 1_000
const COLUMNS = [
  'timestamp',
  'quote_count',
  'best_bid',
  'best_bid_low',
  'best_bid_high',
  'best_ask',
  'best_ask_low',
  'best_ask_high',
  'mid_price_open',
  'mid_price_high',
  'mid_price_low',
  'mid_price_close',
  'spread',
  'spread_high',
] as const

type Column = (typeof COLUMNS)[number]

/** Of a bucket each. Prices are dollars, NaN where there is none; `timestamp` is the start of the bucket, Unix ms. */
export type QuoteWindow = TimeWindow & { rows: number; columns: Readonly<Record<Column, Float64Array>> }

const BYTES_MAX = 16 * 1024 * 1024
const kept = new Kept<QuoteWindow>(BYTES_MAX, ({ rows }) => rows * COLUMNS.length * 8)

/** Buckets of less than a second are not to be had: then those of a second. */
export function quoteWindow(book: BookId, window: TimeWindow): Entry<QuoteWindow> {
  return kept.take(nameOf(book, window), (signal) => load(book, window, signal))
}

const nameOf = (book: BookId, { startMs, resolutionMs }: TimeWindow) => `${bookText(book)} ${startMs} ${resolutionMs}`

/** Says which windows `owner` wants from now on: what it wanted before is asked for no longer. */
export const wantQuotes = (owner: object, book: BookId, windows: readonly TimeWindow[]): void =>
  kept.want(owner, new Set(windows.map((window) => nameOf(book, window))))

/** What of coarser buckets is there of a window's time: the finest of it. */
export function quoteStandIn(book: BookId, { startMs, endMs }: TimeWindow): QuoteWindow | null {
  let best: QuoteWindow | null = null
  for (const [, each] of kept.startingWith(`${bookText(book)} `)) {
    if (each.startMs > startMs || each.endMs < endMs) continue
    if (best === null || each.resolutionMs < best.resolutionMs) best = each
  }
  return best
}

export const renewQuotes = (matches: (name: string) => boolean): void => kept.renew(matches)

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<QuoteWindow> {
  const query = {
    ...bookQuery(book),
    start_timestamp: window.startMs,
    end_timestamp: window.endMs - 1,
    resolution: Math.max(1, window.resolutionMs / MS_PER_SECOND),
    columns: COLUMNS.join(','),
    format: 'arrow',
  }
  const response = await ask(marketPath(book, 'orderbook-summary'), query, signal)
  return quoteWindowOf(new Uint8Array(await response.arrayBuffer()), window)
}

export function quoteWindowOf(bytes: Uint8Array, window: TimeWindow): QuoteWindow {
  const table = tableFromIPC(bytes)
  const columns = Object.fromEntries(
    COLUMNS.map((name) => [name, numbersOf(table.getChild(name).toArray() as ArrayLike<unknown>)]),
  )
  return { ...window, rows: table.numRows, columns: columns as Record<Column, Float64Array> }
}

/** Null as NaN. */
const numbersOf = (values: ArrayLike<unknown>): Float64Array =>
  Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value)))

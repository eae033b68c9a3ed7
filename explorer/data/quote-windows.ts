// Windows of best prices, spreads and counts: buckets of the summary, as columns.

import type { BookId } from '../state/view.ts'
import { bookText } from './book-query.ts'
import { askBuckets, keptWindows, windowName } from './book-windows.ts'
import { QUOTE_COLUMNS, type QuoteWindow, type TimeWindow } from './buckets/bucket-window.ts'
import type { Entry } from './kept.ts'
import { ofSide } from './no-side/of-side.ts'

const BYTES_MAX = 16 * 1024 * 1024
const kept = keptWindows<QuoteWindow>(BYTES_MAX, ({ rows }) => rows * QUOTE_COLUMNS.length * 8)

/** Buckets of less than a second are not to be had: then those of a second. */
export function quoteWindow(book: BookId, window: TimeWindow): Entry<QuoteWindow> {
  return kept.take(windowName(book, window), (signal) => load(book, window, signal))
}

/** Says which windows `owner` wants from now on: what it wanted before is asked for no longer. */
export const wantQuotes = (owner: object, book: BookId, windows: readonly TimeWindow[]): void =>
  kept.want(owner, new Set(windows.map((window) => windowName(book, window))))

/** What of coarser buckets is there of a window's time: the finest of it. */
export function quoteStandIn(book: BookId, { startMs, endMs }: TimeWindow): QuoteWindow | null {
  let best: QuoteWindow | null = null
  for (const [, each] of kept.startingWith(`${bookText(book)} `)) {
    if (each.startMs > startMs || each.endMs < endMs) continue
    if (best === null || each.resolutionMs < best.resolutionMs) best = each
  }
  return best
}

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<QuoteWindow> {
  const buckets = await askBuckets(book, 'orderbook-summary', window, QUOTE_COLUMNS, signal)
  return ofSide(book, { ...window, ...buckets }, ({ flippedQuotes }) => flippedQuotes)
}

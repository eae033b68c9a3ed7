// The cache of quote windows: best prices, spreads and counts in buckets of the summary, as columns.

import type { BookId } from '../state/view.ts'
import { askBuckets, cachedWindows, windowName } from './book-windows.ts'
import { QUOTE_COLUMNS, type QuoteWindow, type TimeWindow } from './buckets/bucket-window.ts'
import { ofSide } from './no-side/of-side.ts'

const windows = cachedWindows<TimeWindow, QuoteWindow>({
  bytesMax: 16 * 1024 * 1024,
  bytesOf: ({ rows }) => rows * QUOTE_COLUMNS.length * 8,
  nameOf: windowName,
  load,
})
/** For a resolution finer than a second, these windows have buckets of a second, because the API has no shorter
 *  ones. */
export const { take: quoteWindow, want: wantQuotes } = windows

/** Returns the finest loaded window that covers this window's time; null if there is none. */
export function quoteStandIn(book: BookId, { startMs, endMs }: TimeWindow): QuoteWindow | null {
  let best: QuoteWindow | null = null
  for (const [, each] of windows.there(book)) {
    if (each.startMs > startMs || each.endMs < endMs) continue
    if (best === null || each.resolutionMs < best.resolutionMs) best = each
  }
  return best
}

async function load(book: BookId, window: TimeWindow, signal: AbortSignal): Promise<QuoteWindow> {
  const buckets = await askBuckets(book, 'orderbook-summary', window, QUOTE_COLUMNS, signal)
  return ofSide(book, { ...window, ...buckets }, ({ flippedQuotes }) => flippedQuotes)
}

// Chooses the instant whose book is shown until the reader chooses an instant.

import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { QuoteWindow } from '../data/buckets/bucket-window.ts'
import { windowsOf } from '../data/level-of-detail.ts'
import { quoteWindow } from '../data/quote-windows.ts'
import { shownDetail } from '../state/detail.ts'
import type { Horizon } from '../state/horizon.ts'
import { closeOf, type Span, type StoredDates } from '../state/shown.ts'
import type { BookId } from '../state/view.ts'

/** The instant from which a step back starts if there is no cursor. Null while unknown. */
export const restingMs = signal<number | null>(null)

/** Delay before the book is requested, so that moving the view requests none. */
const REST_MS = 150

/** Returns the instant whose book is shown, once the view has stopped moving: the horizon if there is one, otherwise
 *  the last recorded instant up to the end of the visible span. If the book is empty at that instant, as after the
 *  close of a market, returns the end of the last bucket with a price. Null while unknown. */
export function useRestingPlace(
  book: BookId,
  span: Span | null,
  dates: StoredDates,
  horizon: Horizon | null,
): number | null {
  const closeMs = span === null ? null : closeOf(dates, span)
  const quotes = span === null || closeMs === null ? null : quotesOf(book, span)
  const ms = horizon?.ms ?? (closeMs === null || quotes === null ? null : lastPriced(quotes, closeMs))
  const [rested, setRested] = useState<number | null>(null)
  useEffect(() => {
    if (ms === null) return
    const timer = setTimeout(() => setRested(ms), rested === null ? 0 : REST_MS)
    return () => clearTimeout(timer)
  }, [ms])
  useEffect(() => {
    restingMs.value = rested
  }, [rested])
  return rested
}

/** Returns the buckets that the chart shows; null until each has loaded or failed. */
function quotesOf(book: BookId, { fromMs, toMs }: Span): QuoteWindow[] | null {
  const bucketMs = shownDetail.value?.bucketMs
  if (bucketMs === undefined) return null
  const entries = windowsOf(fromMs, toMs, bucketMs).map((window) => quoteWindow(book, window))
  if (entries.some(({ value, failure }) => value === null && failure === null)) return null
  return entries.flatMap(({ value }) => value ?? [])
}

/** Finds the last bucket that has a price and starts at or before an instant. Returns the end of that bucket, but at
 *  most the instant. Returns the instant itself if no bucket has a price. */
export function lastPriced(quotes: readonly QuoteWindow[], ms: number): number {
  for (const { columns, resolutionMs } of quotes.toReversed()) {
    const { timestamp, best_bid, best_ask } = columns
    for (let row = timestamp.length - 1; row >= 0; row--) {
      const isPriced = !Number.isNaN(best_bid[row]!) || !Number.isNaN(best_ask[row]!)
      if (timestamp[row]! <= ms && isPriced) return Math.min(ms, timestamp[row]! + resolutionMs - 1)
    }
  }
  return ms
}

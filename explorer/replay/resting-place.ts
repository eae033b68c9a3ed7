// Where the book is shown until a place is chosen.

import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { QuoteWindow } from '../data/buckets/bucket-window.ts'
import { windowsOf } from '../data/level-of-detail.ts'
import { quoteWindow } from '../data/quote-windows.ts'
import { shownDetail } from '../state/detail.ts'
import type { Horizon } from '../state/horizon.ts'
import { closeOf, type Span, type StoredDates } from '../state/shown.ts'
import type { BookId } from '../state/view.ts'

/** Steps begin here. Null while it is not known. */
export const restingMs = signal<number | null>(null)

/** While a view is moved, no book is requested. */
const REST_MS = 150

/** The end of what is shown, once that rests. Where the book is empty there, as after the close of a market, the end of
 *  the last bucket with a price. At the horizon where there is one. Null while it is not known. */
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

/** Of the buckets that the chart shows; null until they are there, or have failed. */
function quotesOf(book: BookId, { fromMs, toMs }: Span): QuoteWindow[] | null {
  const bucketMs = shownDetail.value?.bucketMs
  if (bucketMs === undefined) return null
  const entries = windowsOf(fromMs, toMs, bucketMs).map((window) => quoteWindow(book, window))
  if (entries.some(({ value, failure }) => value === null && failure === null)) return null
  return entries.flatMap(({ value }) => value ?? [])
}

/** An instant, or the end of the last bucket before it that has a price. The instant itself where none has. */
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

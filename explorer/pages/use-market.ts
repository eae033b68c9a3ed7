// Loads the market of a view: its name, which becomes the page's title, its stored dates, and the visible span.

import { useEffect } from 'preact/hooks'
import { coverage, marketInfo } from '../data/answers.ts'
import { titleOf } from '../data/market-name.ts'
import { horizonOf, passedDates } from '../state/horizon.ts'
import { type StoredDates, shownSpan } from '../state/shown.ts'
import type { MarketView, Stretch } from '../state/view.ts'
import { SHOWN } from '../venues.ts'

/** Returns the market of a view. `ready` is the span once the book is chosen; null until then. */
export function useMarket(given: MarketView) {
  const { book } = given
  const [info, stored] = [marketInfo(book), coverage(book)]
  const all = stored.value?.dates ?? []
  const view = withCursor(given, all)
  const horizon = horizonOf(view)
  const dates = passedDates(all, horizon)
  const span = shownSpan(view, dates)
  const ready = !SHOWN[book.venue].hasAssets || book.asset !== null ? span : null
  const title = info.value?.title == null ? null : titleOf(book, info.value)
  const name = title ?? book.market
  useEffect(() => {
    document.title = `${name} · backbook`
  }, [name])
  return { info, stored, title, name, view, horizon, dates, span, ready }
}

/** Sets the cursor to the start of the visible span if the future is hidden and the view has no cursor. */
export function withCursor<T extends Stretch>(view: T, dates: StoredDates): T {
  if (!view.hidesFuture || view.atMs !== null) return view
  return { ...view, atMs: shownSpan(view, dates)?.fromMs ?? null }
}

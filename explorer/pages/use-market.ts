// A market as a view shows it: its name, which is the page's title, what is stored of it, and the stretch of time.

import { useEffect } from 'preact/hooks'
import { coverage, marketInfo } from '../data/answers.ts'
import { titleOf } from '../data/market-name.ts'
import { horizonOf, passedDates } from '../state/horizon.ts'
import { type StoredDates, shownSpan } from '../state/shown.ts'
import type { MarketView } from '../state/view.ts'

/** `ready` is the stretch of time once it is known of which book. */
export function useMarket(given: MarketView) {
  const { book } = given
  const [info, stored] = [marketInfo(book), coverage(book)]
  const all = stored.value?.dates ?? []
  const view = withCursor(given, all)
  const horizon = horizonOf(view)
  const dates = passedDates(all, horizon)
  const span = shownSpan(view, dates)
  const ready = book.venue === 'kalshi' || book.asset !== null ? span : null
  const title = info.value?.title == null ? null : titleOf(book, info.value)
  const name = title ?? book.market
  useEffect(() => {
    document.title = `${name} · backbook`
  }, [name])
  return { info, stored, title, name, view, horizon, dates, span, ready }
}

/** What hides the future hides it from a cursor on: without one, from the beginning of what is shown. */
function withCursor(view: MarketView, dates: StoredDates): MarketView {
  if (!view.hidesFuture || view.atMs !== null) return view
  return { ...view, atMs: shownSpan(view, dates)?.fromMs ?? null }
}

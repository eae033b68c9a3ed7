// The view as a signal, in sync with the browser's address and history.

import { signal } from '@preact/signals'
import { type CompareView, type MarketView, parseView, printView, type Stretch, type View } from './view.ts'

const here = () => parseView(location.pathname, location.search)

export const view = signal<View>(here())

/** Least time between address changes: browsers refuse more than about a hundred in half a minute. */
const WRITE_MS = 300
let isWriting = false

/** Shows another view; the browser's "back" returns to this one. */
export function go(next: View): void {
  history.pushState(null, '', printView(next))
  view.value = next
  scrollTo(0, 0)
}

type Change = Partial<Stretch> &
  Partial<Pick<MarketView, 'showsMessages' | 'showsTrades' | 'book'> & Pick<CompareView, 'first' | 'second'>>

/** Changes what is shown of the current market or pair, but not the address, so that a running clock can call it for
 *  every frame. Returns false on other pages. */
export function pass(change: Change): boolean {
  const now = view.peek()
  if (now.page !== 'market' && now.page !== 'compare') return false
  view.value = { ...now, ...change } as View
  return true
}

/** Changes what is shown of the current market or pair. Writes the address at most a few times a second. */
export function adjust(change: Change): void {
  if (!pass(change) || isWriting) return
  isWriting = true
  setTimeout(() => {
    isWriting = false
    history.replaceState(null, '', printView(view.value))
  }, WRITE_MS)
}

addEventListener('popstate', () => {
  view.value = here()
})

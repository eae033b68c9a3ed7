// Makes the chart usable by keyboard: arrows move a cursor over columns and prices, and screen readers announce the
// data there.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { adjust } from '../state/address.ts'
import type { Span } from '../state/shown.ts'
import { foldAt, instantIn, panned } from '../state/time-axis.ts'
import { hovered } from './base/hovered.ts'
import { firstShown } from './draw/lines.ts'
import { MAIN } from './market-panes.tsx'
import type { MarketWindows } from './market-windows.ts'

type CursorProps = {
  windows: MarketWindows
  span: Span
  atMs: number | null
  /** Returns the chart's reading at an instant and a price, as one text. */
  describe: (ms: number, dollars: number | null) => string
  /** The id of the table with the same data, if there is one. */
  tableId: string | undefined
  children: ComponentChildren
}

const FAR = 10
const ANNOUNCE_AFTER_MS = 350

export function DataCursor({ windows, span, atMs, describe, tableId, children }: CursorProps) {
  const [spoken, setSpoken] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const place = (ms: number, value: number | null) => {
    hovered.value = { ms, value, pane: MAIN }
    if (ms < span.fromMs || ms > span.toMs) adjust(panned(span, ms < span.fromMs ? -0.5 : 0.5))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setSpoken(describe(ms, value)), ANNOUNCE_AFTER_MS)
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const now = hovered.peek()
    const ms = now?.ms ?? atMs ?? instantIn(span, 0.5)
    const value = (now?.pane === MAIN ? now.value : null) ?? midAt(windows, ms)
    const far = event.shiftKey ? FAR : 1
    const columnMs = windows.resolutionMs * far
    const { low, high } = windows.prices
    const price = (by: number) => (value === null ? null : Math.max(low, Math.min(high, value + by * far)))
    const step = (by: number) => {
      const fold = foldAt(span, ms + by)
      place(fold === undefined ? ms + by : by > 0 ? fold.toMs : fold.fromMs - 1, value)
    }
    const keys: Record<string, () => void> = {
      ArrowLeft: () => step(-columnMs),
      ArrowRight: () => step(columnMs),
      ArrowUp: () => place(ms, price(windows.priceStep)),
      ArrowDown: () => place(ms, price(-windows.priceStep)),
      Home: () => place(span.fromMs, value),
      End: () => place(span.toMs, value),
      Enter: () => adjust({ atMs: ms, record: null }),
      Escape: () => {
        hovered.value = null
      },
    }
    const run = keys[event.key]
    if (run === undefined) return
    event.preventDefault()
    run()
  }
  return (
    <>
      <div
        class="chart-panes"
        role="application"
        aria-roledescription="chart"
        aria-label="Sizes, prices and trades over time: arrows move the cursor, Enter shows the book there"
        aria-details={tableId}
        aria-busy={windows.isLoading}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys of its own
        tabIndex={0}
        onKeyDown={press}
      >
        {children}
      </div>
      <p class="unseen" aria-live="polite">
        {spoken}
      </p>
    </>
  )
}

/** Returns the mid price at an instant in dollars, or the only best price if one side is empty; null if both are
 *  unknown. */
function midAt({ best }: MarketWindows, ms: number): number | null {
  const row = firstShown(best.times, ms)
  const [bid, ask] = [best.bid[row] ?? Number.NaN, best.ask[row] ?? Number.NaN]
  const mid = Number.isNaN(bid) ? ask : Number.isNaN(ask) ? bid : (bid + ask) / 2
  return Number.isNaN(mid) ? null : mid
}

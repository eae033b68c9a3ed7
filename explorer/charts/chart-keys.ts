// Keyboard shortcuts of a chart, which work wherever the focus is. The toolbar's buttons do the same.

import { useMemo, useRef } from 'preact/hooks'
import { adjust } from '../state/address.ts'
import { goBack, reshape } from '../state/back.ts'
import { type Shortcut, useShortcuts } from '../state/shortcuts.ts'
import type { Span } from '../state/shown.ts'
import { instantIn, panned, zoomed } from '../state/time-axis.ts'
import { CHARTS, type Stretch } from '../state/view.ts'
import { movedPrices, type Prices } from './base/price-range.ts'

/** The part of the market that is shown now. */
export type Shown = { stretch: Stretch; span: Span; prices: Prices }

const PAN_SHARE = 0.1
const SCREEN_SHARE = 0.9
const ZOOM_FACTOR = 1.5
const PRICE_SHARE = 0.1

const showSpan = ({ fromMs, toMs }: Span): void => reshape({ fromMs, toMs })
export const showDay = (): void => reshape({ fromMs: null, toMs: null, prices: null })

/** Zooms around the cursor if it is in view, otherwise around the middle. */
function zoomBy({ stretch, span }: Shown, factor: number): void {
  const { atMs } = stretch
  const isShown = atMs !== null && atMs >= span.fromMs && atMs <= span.toMs
  showSpan(zoomed(span, factor, isShown ? atMs : instantIn(span, 0.5)))
}

export const zoomIn = (shown: Shown): void => zoomBy(shown, 1 / ZOOM_FACTOR)
export const zoomOut = (shown: Shown): void => zoomBy(shown, ZOOM_FACTOR)

const nextChart = ({ chart }: Stretch): void => adjust({ chart: CHARTS[(CHARTS.indexOf(chart) + 1) % CHARTS.length]! })
export const otherZone = ({ zone }: Stretch): void => adjust({ zone: zone === 'UTC' ? 'local' : 'UTC' })

const movePrices = ({ prices }: Shown, share: number): void =>
  reshape({ prices: movedPrices(prices, (prices.high - prices.low) * share) })

/** Registers the shortcuts. `hasPrices` is true if the chart has a price range to move and can switch to another
 *  chart. */
export function useChartKeys(shown: Shown, { hasPrices = true } = {}): void {
  const latest = useRef(shown)
  latest.current = shown
  useShortcuts(useMemo(() => keysOf(() => latest.current, hasPrices), []))
}

/** `now` returns what is shown. It is called when a key is pressed. */
function keysOf(now: () => Shown, hasPrices: boolean): Shortcut[] {
  const pan = (share: number) => () => showSpan(panned(now().span, share))
  return [
    { keys: ['ArrowLeft'], label: 'Earlier', run: pan(-PAN_SHARE) },
    { keys: ['ArrowRight'], label: 'Later', run: pan(PAN_SHARE) },
    { keys: ['Shift+ArrowLeft'], label: 'A screen earlier', run: pan(-SCREEN_SHARE) },
    { keys: ['Shift+ArrowRight'], label: 'A screen later', run: pan(SCREEN_SHARE) },
    { keys: ['+', '='], label: 'Zoom in', run: () => zoomIn(now()) },
    { keys: ['-', '_'], label: 'Zoom out', run: () => zoomOut(now()) },
    { keys: ['Shift+drag'], label: 'Zoom to a box', run: () => {} },
    { keys: ['Control+z'], label: 'What was shown before', run: goBack },
    { keys: ['0'], label: 'The whole day', run: showDay },
    ...(hasPrices ? priceKeys(now) : []),
    { keys: ['t'], label: 'UTC or local time', run: () => otherZone(now().stretch) },
  ]
}

const priceKeys = (now: () => Shown): Shortcut[] => [
  { keys: ['ArrowUp'], label: 'Higher prices', run: () => movePrices(now(), PRICE_SHARE) },
  { keys: ['ArrowDown'], label: 'Lower prices', run: () => movePrices(now(), -PRICE_SHARE) },
  { keys: ['c'], label: 'Depth map, candles or line', run: () => nextChart(now().stretch) },
]

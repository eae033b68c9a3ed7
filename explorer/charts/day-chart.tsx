// A market over time: the depth map under the best prices and the trades, and below it spread, quotes and volume.

import { signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { DepthWindow } from '../data/depth-window.ts'
import { depthWindow, peekDepthWindow } from '../data/depth-windows.ts'
import { coarserOf, priceStepFor, resolutionFor, type TimeWindow, windowsOf } from '../data/level-of-detail.ts'
import { type QuoteWindow, quoteWindow } from '../data/quote-windows.ts'
import { type TradeWindow, tradeWindow } from '../data/trade-windows.ts'
import { adjust } from '../state/address.ts'
import { priceText } from '../state/number-text.ts'
import type { Span } from '../state/shown.ts'
import { isDark } from '../state/theme.ts'
import type { BookId, Stretch } from '../state/view.ts'
import { drawHeatMap, type Plot } from './heat-map.ts'
import { colourTable, sizeAtShare } from './palette.ts'
import { attachGestures, type Gestures } from './pan-zoom.ts'
import { AXIS_WIDTH_PX, Pane } from './pane.tsx'
import { drawTrades } from './trade-marks.ts'
import { drawUnknown } from './unknown.ts'

/** Where the pointer is, for the read-out. */
export const hovered = signal<{ ms: number; value: number } | null>(null)

const MAIN_HEIGHT_PX = 420
const LINES = [
  { label: 'best bid', stroke: '#5aa9ff', width: 1.5 },
  { label: 'best ask', stroke: '#ffa04d', width: 1.5 },
]

export function DayChart({
  book,
  stretch,
  span,
  widthPx,
}: {
  book: BookId
  stretch: Stretch
  span: Span
  widthPx: number
}) {
  const plotPx = Math.max(100, widthPx - AXIS_WIDTH_PX)
  const resolutionMs = resolutionFor(span.toMs - span.fromMs, plotPx)
  const windows = windowsOf(span.fromMs, span.toMs, resolutionMs)
  const quotes = windowsOf(span.fromMs, span.toMs, Math.max(1_000, resolutionMs)).flatMap(
    (each) => quoteWindow(book, each).value ?? [],
  )
  const trades = windowsOf(span.fromMs, span.toMs, Math.max(1_000, resolutionMs)).flatMap(
    (each) => tradeWindow(book, each).value ?? [],
  )
  const values = stretch.prices ?? pricesAround(quotes, span)
  const priceStep = priceStepFor(values.high - values.low, MAIN_HEIGHT_PX)
  const depth = windows.flatMap((each) => depthOrCoarser(book, each, priceStep, stretch.aggregate))
  const table = useTable(stretch, depth)
  const gestures: Gestures = {
    show: ({ span: next, prices }) =>
      adjust({ ...(next && { fromMs: next.fromMs, toMs: next.toMs }), ...(prices !== undefined && { prices }) }),
    setCursor: (ms) => adjust({ atMs: ms, record: null }),
    hover: (at) => {
      hovered.value = at
    },
    reset: () => adjust({ fromMs: null, toMs: null, prices: null }),
  }
  return (
    <Pane
      label="Sizes over price and time, with the best prices and the trades"
      heightPx={MAIN_HEIGHT_PX}
      isDark={isDark.value}
      span={span}
      zone={stretch.zone}
      values={values}
      valueText={(dollars) => priceText(dollars)}
      data={linesOf(quotes)}
      lines={LINES}
      hasTimeAxis
      under={(context, plot) => {
        drawUnknown(context, plot, depth)
        for (const each of depth) drawHeatMap(context, plot, each, table)
      }}
      over={(context, plot) => {
        drawTrades(context, plot, trades)
        if (stretch.atMs !== null) drawCursor(context, plot, stretch.atMs)
      }}
      attach={(surface, plot) => attachGestures(surface, plot, gestures)}
    />
  )
}

/** The window, or what there is of the coarser one that holds it. */
function depthOrCoarser(
  book: BookId,
  window: TimeWindow,
  priceStep: number,
  aggregate: Stretch['aggregate'],
): DepthWindow[] {
  const { value } = depthWindow(book, window, priceStep, aggregate)
  if (value !== null) return [value]
  for (let coarser = coarserOf(window); coarser !== undefined; coarser = coarserOf(coarser)) {
    const kept = peekDepthWindow(book, coarser, priceStep, aggregate)
    if (kept !== null) return [kept]
  }
  return []
}

function useTable({ palette, cutOff }: Stretch, depth: readonly DepthWindow[]): Uint32Array {
  const [first] = depth
  const highest = useMemo(() => (first === undefined ? 1 : sizeAtShare(first.sizes, 0.995)), [first])
  const shades = { palette, isDark: isDark.value, lowest: cutOff.lowest ?? 0.01, highest: cutOff.highest ?? highest }
  return useMemo(() => colourTable(shades), [palette, isDark.value, shades.lowest, shades.highest])
}

function linesOf(quotes: readonly QuoteWindow[]): Float64Array[] {
  return (['timestamp', 'best_bid', 'best_ask'] as const).map((name) => {
    const joined = new Float64Array(quotes.reduce((sum, { rows }) => sum + rows, 0))
    let at = 0
    for (const { columns, rows } of quotes) {
      joined.set(columns[name], at)
      at += rows
    }
    return joined
  })
}

const WHOLE = { low: 0, high: 1 }

/** Room for what rests around the best prices. */
function pricesAround(quotes: readonly QuoteWindow[], { fromMs, toMs }: Span): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity]
  for (const { columns, rows } of quotes) {
    for (let row = 0; row < rows; row++) {
      if (columns.timestamp[row]! < fromMs || columns.timestamp[row]! > toMs) continue
      for (const price of [columns.best_bid[row]!, columns.best_ask[row]!]) {
        if (price < low) low = price
        if (price > high) high = price
      }
    }
  }
  if (low > high) return WHOLE
  const room = Math.max(0.02, (high - low) * 0.35)
  return {
    low: Math.max(0, Math.floor((low - room) * 100) / 100),
    high: Math.min(1, Math.ceil((high + room) * 100) / 100),
  }
}

function drawCursor(context: CanvasRenderingContext2D, plot: Plot, ms: number): void {
  const x = Math.round(plot.left + ((ms - plot.fromMs) / (plot.toMs - plot.fromMs)) * plot.width) + 0.5
  context.strokeStyle = isDark.value ? '#ffffffb0' : '#000000b0'
  context.lineWidth = 1
  context.setLineDash([4, 3])
  context.beginPath()
  context.moveTo(x, plot.top)
  context.lineTo(x, plot.top + plot.height)
  context.stroke()
  context.setLineDash([])
}

export type { TradeWindow }

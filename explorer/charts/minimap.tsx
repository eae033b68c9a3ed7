// Shows the recorded day as a whole, with the visible span as a window to drag or resize by its edges.

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { bestOfQuotes } from '../data/best-prices.ts'
import type { QuoteWindow } from '../data/buckets/bucket-window.ts'
import { resolutionFor, windowsOf } from '../data/level-of-detail.ts'
import { quoteWindow } from '../data/quote-windows.ts'
import { passedQuotes } from '../replay/passed.ts'
import { reshape } from '../state/back.ts'
import { type Horizon, hiddenFrom } from '../state/horizon.ts'
import { around, DAY_MS, dayStartMs, SPAN_MIN_MS, type Span } from '../state/shown.ts'
import { instantIn, lengthOf, shareOf, unfolded } from '../state/time-axis.ts'
import type { BookId } from '../state/view.ts'
import { colours } from './base/colours.ts'
import { listen } from './base/listen.ts'
import { type Plot, xOf } from './base/plot.ts'
import { pricesAround } from './base/price-range.ts'
import { breaksIn, type CoveredDate } from './base/stretches.ts'
import { tickStepMs, ticksMs, tickText } from './base/time-ticks.ts'
import { axisFont } from './draw/axes.ts'
import { drawFolds } from './draw/folds.ts'
import { drawStepped } from './draw/lines.ts'
import { drawUnknown } from './draw/unknown.ts'
import { cleared } from './pane/pane.tsx'

const HEIGHT_PX = 46
const EDGE_PX = 7
/** A narrower window has no handles: they would cover it. */
const HANDLES_PX = 14
const TICKS_APART_PX = 110
const BUCKET_MIN_MS = 1_000

type MinimapProps = {
  book: BookId
  span: Span
  dates: readonly CoveredDate[]
  horizon: Horizon | null
  zone: string
  leftPx: number
  widthPx: number
}

export function Minimap({ book, span, dates, horizon, zone, leftPx, widthPx }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const whole = wholeOf(span, dates)
  const latest = useRef({ span, whole })
  latest.current = { span, whole }
  useEffect(() => attachWindowDrag(canvas.current!, () => latest.current), [])
  const resolutionMs = Math.max(BUCKET_MIN_MS, resolutionFor(lengthOf(whole), Math.max(100, widthPx)))
  const quotes = unfolded(windowsOf(whole.fromMs, whole.toMs, resolutionMs), whole)
    .flatMap((each) => quoteWindow(book, each).value ?? [])
    .map((each) => passedQuotes(each, horizon))
  const knownToMs = Math.min(whole.toMs, Math.floor(hiddenFrom(horizon) / resolutionMs) * resolutionMs)
  useLayoutEffect(() => {
    draw(canvas.current!, widthPx, { whole, span, knownToMs, quotes, resolutionMs, zone })
  })
  return (
    <canvas
      ref={canvas}
      class="minimap"
      role="img"
      aria-label="The whole recorded day, and the part that is shown"
      style={{ marginLeft: `${leftPx}px`, width: `${widthPx}px`, height: `${HEIGHT_PX}px` }}
    />
  )
}

/** Returns the recorded span of the days in view, or the whole days if nothing is recorded. */
function wholeOf(span: Span, dates: readonly CoveredDate[]): Span {
  const [firstDay, lastDay] = [dayStartMs(span.fromMs), dayStartMs(span.toMs - 1)]
  const shown = dates.filter(({ date }) => Date.parse(date) >= firstDay && Date.parse(date) <= lastDay)
  if (shown.length === 0) return { ...span, fromMs: firstDay, toMs: lastDay + DAY_MS }
  const recorded = shown.map(({ first_timestamp, last_timestamp }) => around(first_timestamp, last_timestamp))
  const [fromMs, toMs] = [recorded[0]!.fromMs, recorded.at(-1)!.toMs]
  return { ...span, fromMs: Math.min(span.fromMs, fromMs), toMs: Math.max(span.toMs, toMs) }
}

type MinimapDrawing = {
  whole: Span
  span: Span
  /** Buckets after this instant are hidden. */
  knownToMs: number
  quotes: readonly QuoteWindow[]
  resolutionMs: number
  zone: string
}

function draw(canvas: HTMLCanvasElement, widthPx: number, drawn: MinimapDrawing): void {
  const { whole, span, knownToMs, quotes, resolutionMs, zone } = drawn
  const context = cleared(canvas, widthPx, HEIGHT_PX)
  const ratio = devicePixelRatio
  const [width, height] = [canvas.width, canvas.height]
  const plot: Plot = { ...{ left: 0, top: 0, width, height, ratio }, ...whole, ...pricesAround(quotes, whole) }
  const ink = colours()
  const { times, bid, ask } = bestOfQuotes(quotes, resolutionMs)
  drawUnknown(context, plot, breaksIn(times, resolutionMs, { fromMs: whole.fromMs, toMs: knownToMs }))
  drawStepped(context, plot, { times, values: bid, resolutionMs }, { stroke: ink.bid, width: 1 })
  drawStepped(context, plot, { times, values: ask, resolutionMs }, { stroke: ink.ask, width: 1 })
  drawFolds(context, plot)
  const [left, right] = [xOf(plot, span.fromMs), Math.max(xOf(plot, span.fromMs) + 2 * ratio, xOf(plot, span.toMs))]
  context.fillStyle = ink.veil
  context.fillRect(0, 0, left, height)
  context.fillRect(right, 0, width - right, height)
  context.strokeStyle = ink.crosshair
  context.lineWidth = ratio
  context.strokeRect(left + ratio / 2, ratio / 2, Math.max(ratio, right - left - ratio), height - ratio)
  context.fillStyle = ink.strong
  const handles = right - left > HANDLES_PX * ratio ? [left, right - 3 * ratio] : []
  for (const x of handles) context.fillRect(x, height / 2 - 7 * ratio, 3 * ratio, 14 * ratio)
  const stepMs = tickStepMs(lengthOf(whole), widthPx, TICKS_APART_PX)
  context.font = axisFont(ratio)
  context.fillStyle = ink.text
  context.textAlign = 'left'
  context.textBaseline = 'bottom'
  for (const ms of ticksMs(whole, stepMs)) {
    const x = xOf(plot, ms)
    const text = tickText(ms, stepMs, zone)
    context.fillRect(Math.round(x), height - 4 * ratio, ratio, 4 * ratio)
    if (x + context.measureText(text).width < width) context.fillText(text, x + 3 * ratio, height - ratio)
  }
}

/** A drag inside moves the window; a drag at an edge moves that edge; a press outside centres the window there. */
function attachWindowDrag(canvas: HTMLCanvasElement, now: () => { span: Span; whole: Span }): () => void {
  let start: { x: number; span: Span; part: 'from' | 'to' | 'both'; isToJump: boolean } | null = null
  const xOf = (ms: number) => shareOf(now().whole, ms) * canvas.clientWidth
  /** Returns an instant moved by pixels. */
  const moved = (ms: number, by: number) => instantIn(now().whole, (xOf(ms) + by) / canvas.clientWidth)
  const xIn = (event: PointerEvent) => event.clientX - canvas.getBoundingClientRect().left
  const partAt = (x: number): 'from' | 'to' | 'both' | null => {
    const [left, right] = [xOf(now().span.fromMs), xOf(now().span.toMs)]
    if (Math.abs(x - left) <= EDGE_PX && x < (left + right) / 2) return 'from'
    if (Math.abs(x - right) <= EDGE_PX) return 'to'
    return x > left && x < right ? 'both' : null
  }
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return
    const x = xIn(event)
    const part = partAt(x)
    const { fromMs, toMs } = now().span
    const by = part === null ? x - (xOf(fromMs) + xOf(toMs)) / 2 : 0
    const there = { fromMs: moved(fromMs, by), toMs: moved(toMs, by) }
    // Wait until the finger lifts: it may be about to scroll the page.
    const isToJump = part === null && event.pointerType === 'touch'
    if (part === null && !isToJump) reshape(there)
    start = { x, span: there, part: part ?? 'both', isToJump }
    canvas.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    const x = xIn(event)
    if (start === null) {
      const part = partAt(x)
      canvas.style.cursor = part === null ? 'pointer' : part === 'both' ? 'grab' : 'ew-resize'
      return
    }
    if (event.pointerType === 'touch' && Math.abs(x - start.x) <= EDGE_PX) return
    start.isToJump = false
    const { fromMs, toMs } = start.span
    const [begin, end] = [moved(fromMs, x - start.x), moved(toMs, x - start.x)]
    if (start.part === 'both') reshape({ fromMs: begin, toMs: end })
    else if (start.part === 'from') reshape({ fromMs: Math.min(begin, toMs - SPAN_MIN_MS), toMs })
    else reshape({ fromMs, toMs: Math.max(end, fromMs + SPAN_MIN_MS) })
  }
  const up = ({ type }: PointerEvent) => {
    if (type === 'pointerup' && start?.isToJump) reshape(start.span)
    start = null
  }
  return listen(canvas, { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up })
}

// Handles the pointer on a chart. The wheel zooms at the pointer, or pans with Shift; a drag pans, or with Shift zooms
// to a box; two fingers zoom; a click sets the cursor; a double click shows the day. Alt with the wheel zooms the
// prices.

import type { Span } from '../../state/shown.ts'
import { panned, zoomed } from '../../state/time-axis.ts'
import { listen } from '../base/listen.ts'
import { msAt, type Plot, valueAt } from '../base/plot.ts'
import { movedPrices, type Prices, zoomedPrices } from '../base/price-range.ts'
import { attachBoxZoom } from './box-zoom.ts'

export type Gestures = {
  /** Shows a span, prices, or both. If `prices` is null, the price range follows the best prices. */
  show: (change: { span?: Span; prices?: Prices | null }) => void
  setCursor: (ms: number) => void
  /** Receives null when the pointer leaves. */
  hover: (at: { ms: number; value: number } | null) => void
  reset: () => void
  /** Returns whether a drag also moves the price range. Returns false while the range follows the best prices. */
  arePricesFree: () => boolean
  /** Whether the pane shows prices whose range can be changed. */
  hasPrices: boolean
}

const CLICK_PX = 4
const WHEEL_PER_DOUBLING = 240
const LINE_PX = 16

export function attachGestures(surface: HTMLElement, plot: () => Plot, gestures: Gestures): () => void {
  const pointers = new Map<number, { x: number; y: number }>()
  let start: { x: number; y: number; plot: Plot; hasMoved: boolean; spread: number } | null = null

  const placeOf = (event: { clientX: number; clientY: number }) => {
    const { left, top } = surface.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const spreadOf = () => {
    const [a, b] = [...pointers.values()]
    return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y)
  }
  const begin = () => {
    const [first] = pointers.values()
    start = first === undefined ? null : { ...centre(pointers), plot: plot(), hasMoved: false, spread: spreadOf() }
  }

  const down = (event: PointerEvent) => {
    if (event.button !== 0 || event.shiftKey) return
    pointers.set(event.pointerId, placeOf(event))
    surface.setPointerCapture(event.pointerId)
    begin()
  }
  const move = (event: PointerEvent) => {
    const at = placeOf(event)
    const shown = plot()
    gestures.hover({ ms: msAt(shown, at.x), value: valueAt(shown, at.y) })
    if (!pointers.has(event.pointerId) || start === null) return
    pointers.set(event.pointerId, at)
    const { x, y } = centre(pointers)
    if (Math.hypot(x - start.x, y - start.y) > CLICK_PX || pointers.size > 1) start.hasMoved = true
    if (!start.hasMoved) return
    // A vertical move of one finger scrolls the page; the browser recognises it after a few pixels.
    if (event.pointerType === 'touch' && pointers.size === 1 && Math.abs(x - start.x) <= CLICK_PX) return
    const { plot: from } = start
    const moved = { ...from, ...panned(from, (start.x - x) / from.width) }
    const factor = pointers.size > 1 && start.spread > 0 ? start.spread / Math.max(1, spreadOf()) : 1
    const span = factor === 1 ? moved : zoomed(moved, factor, msAt(moved, x))
    const isFree = pointers.size === 1 && gestures.arePricesFree()
    const prices = isFree ? movedPrices(from, ((y - start.y) * (from.high - from.low)) / from.height) : undefined
    gestures.show({ span, ...(prices !== undefined && { prices }) })
    gestures.hover({ ms: msAt({ ...from, ...span }, at.x), value: valueAt({ ...from, ...prices }, at.y) })
  }
  const up = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return
    if (start !== null && !start.hasMoved && event.type === 'pointerup')
      gestures.setCursor(msAt(plot(), placeOf(event).x))
    begin()
  }
  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    const shown = plot()
    const scale = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1
    const [across, along] = [event.deltaX * scale, event.deltaY * scale]
    const { x, y } = placeOf(event)
    if (event.altKey)
      return gestures.show({ prices: zoomedPrices(shown, 2 ** (along / WHEEL_PER_DOUBLING), valueAt(shown, y)) })
    if (event.shiftKey || Math.abs(across) > Math.abs(along)) {
      return gestures.show({ span: panned(shown, (across || along) / shown.width) })
    }
    gestures.show({ span: zoomed(shown, 2 ** (along / WHEEL_PER_DOUBLING), msAt(shown, x)) })
  }
  const leave = () => gestures.hover(null)
  // The browser scrolls the page for one finger; two fingers zoom the chart.
  const touch = (event: TouchEvent) => {
    if (event.touches.length > 1) event.preventDefault()
  }

  const pointer = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, pointerleave: leave }
  const detach = [
    listen(surface, { ...pointer, dblclick: gestures.reset, wheel, touchstart: touch, touchmove: touch }),
    attachBoxZoom(surface, plot, gestures),
  ]
  return () => {
    for (const each of detach) each()
  }
}

function centre(pointers: ReadonlyMap<number, { x: number; y: number }>): { x: number; y: number } {
  const all = [...pointers.values()]
  const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length
  return { x: mean(all.map(({ x }) => x)), y: mean(all.map(({ y }) => y)) }
}

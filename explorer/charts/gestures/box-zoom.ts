// Zooms to a box drawn with Shift and a drag: to its time, and in a price pane also to its prices.

import { boxed, type Point } from '../base/boxed.ts'
import { listen } from '../base/listen.ts'
import type { Plot } from '../base/plot.ts'
import type { Gestures } from './pan-zoom.ts'

/** A narrower box counts as a click. */
const LEAST_PX = 4

/** Attaches the gesture; returns a function that detaches it. With `hasPrices`, the drag also sets the height of the
 *  box; otherwise the box is as high as the plot. */
export function attachBoxZoom(surface: HTMLElement, plot: () => Plot, { show, hasPrices }: Gestures): () => void {
  let start: (Point & { box: HTMLElement }) | null = null
  const within = (at: number, most: number) => Math.max(0, Math.min(most, at))
  const pointOf = (event: PointerEvent): Point => {
    const { left, top, width, height } = surface.getBoundingClientRect()
    return { x: within(event.clientX - left, width), y: within(event.clientY - top, height) }
  }
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || !event.shiftKey || start !== null) return
    const box = document.createElement('div')
    box.className = 'zoom-box'
    surface.append(box)
    surface.setPointerCapture(event.pointerId)
    start = { ...pointOf(event), box }
    move(event)
  }
  const move = (event: PointerEvent) => {
    if (start === null) return
    const at = pointOf(event)
    const [left, top] = [Math.min(start.x, at.x), hasPrices ? Math.min(start.y, at.y) : 0]
    const height = hasPrices ? `${Math.abs(start.y - at.y)}px` : '100%'
    Object.assign(start.box.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${Math.abs(start.x - at.x)}px`,
      height,
    })
  }
  const up = (event: PointerEvent) => {
    if (start === null) return
    const [from, to] = [start, pointOf(event)]
    start.box.remove()
    start = null
    if (event.type !== 'pointerup' || Math.abs(from.x - to.x) < LEAST_PX) return
    const { span, prices } = boxed(plot(), from, to)
    show({ span, ...(hasPrices && Math.abs(from.y - to.y) >= LEAST_PX && { prices }) })
  }
  // Prevents the browser from selecting text from the last press to this one, as it does while Shift is held.
  const press = (event: MouseEvent) => event.shiftKey && event.preventDefault()
  return listen(surface, { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, mousedown: press })
}

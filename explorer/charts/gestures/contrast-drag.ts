// Adjusts the colour scale by a drag along the legend of sizes: the outer ends set the brightest size, the middle sets
// the smallest size drawn. A double click restores the automatic scale.

import { type Contrast, type CutOff, draggedTo } from '../base/contrast.ts'
import { listen } from '../base/listen.ts'

const PER_DOUBLING_PX = 18
export function attachContrastDrag(legend: HTMLElement, now: () => Contrast, set: (cutOff: CutOff) => void) {
  let start: (Contrast & { x: number; end: keyof CutOff; outward: 1 | -1 }) | null = null
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return
    const { left, width } = legend.getBoundingClientRect()
    const share = (event.clientX - left) / width - 0.5
    const end = Math.abs(share) > 0.25 ? 'highest' : 'lowest'
    start = { ...now(), x: event.clientX, end, outward: share < 0 ? -1 : 1 }
    legend.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    if (start === null) return
    set(draggedTo(start, start.end, 2 ** ((start.outward * (event.clientX - start.x)) / PER_DOUBLING_PX)))
  }
  const up = () => {
    start = null
  }
  const reset = () => set({ lowest: null, highest: null })
  return listen(legend, { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, dblclick: reset })
}

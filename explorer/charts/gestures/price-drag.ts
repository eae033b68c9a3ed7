// Zooms the price range by a drag along its axis, around its middle, or by the wheel, around the pointer. A double
// click makes the range follow the best prices again.

import { listen } from '../base/listen.ts'
import { type Plot, valueAt } from '../base/plot.ts'
import { type Prices, zoomedPrices } from '../base/price-range.ts'

const DRAG_PER_DOUBLING_PX = 160
const WHEEL_PER_DOUBLING = 240

export function attachPriceDrag(surface: HTMLElement, plot: () => Plot, show: (prices: Prices | null) => void) {
  let start: { y: number; plot: Plot } | null = null
  const down = (event: PointerEvent) => {
    // Leave touch to the browser: a finger scrolls the page.
    if (event.button !== 0 || event.pointerType === 'touch') return
    start = { y: event.clientY, plot: plot() }
    surface.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    if (start === null) return
    const { low, high } = start.plot
    show(zoomedPrices({ low, high }, 2 ** ((event.clientY - start.y) / DRAG_PER_DOUBLING_PX), (low + high) / 2))
  }
  const up = () => {
    start = null
  }
  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    const shown = plot()
    const y = event.clientY - surface.getBoundingClientRect().top
    show(zoomedPrices(shown, 2 ** (event.deltaY / WHEEL_PER_DOUBLING), valueAt(shown, y)))
  }
  const follow = () => show(null)
  const pointer = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up }
  return listen(surface, { ...pointer, dblclick: follow, wheel })
}

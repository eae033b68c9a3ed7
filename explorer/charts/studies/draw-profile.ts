// Draws volume at price as stacked bars from the right edge of the plot. The parts of a bar are the contracts bought,
// those without a side, and those sold.

import { colours } from '../base/colours.ts'
import { type Plot, yOf } from '../base/plot.ts'
import type { AtPrice } from './study-columns.ts'

/** Length of the longest bar, as a share of the plot's width. */
const SHARE = 0.2
/** Whatever is beneath a bar shows through. */
const OPACITY = 0.7

export function drawProfile(context: CanvasRenderingContext2D, plot: Plot, levels: readonly AtPrice[], step: number) {
  const shown = levels.filter(({ price }) => price + step > plot.low && price < plot.high)
  const longest = shown.reduce((max, { volume }) => Math.max(max, volume), 0)
  const ink = colours()
  context.save()
  context.globalAlpha = OPACITY
  for (const { price, bought, sold, volume } of shown) {
    // Centre the bar on its price, like the rows of the depth map.
    const [top, bottom] = [yOf(plot, price + step / 2), yOf(plot, price - step / 2)]
    let right = plot.left + plot.width
    for (const [contracts, fill] of [
      [bought, ink.up],
      [volume - bought - sold, ink.noSide],
      [sold, ink.down],
    ] as const) {
      const width = (contracts / longest) * plot.width * SHARE
      context.fillStyle = fill
      context.fillRect(right - width, top, width, Math.max(1, bottom - top - plot.ratio))
      right -= width
    }
  }
  context.restore()
}

// Draws the range from lowest to highest value of each pixel as vertical bars. A line of last values does not show
// these ranges.

import { pixelRanges, type Ranges } from '../base/pixel-ranges.ts'
import { type Plot, yOf } from '../base/plot.ts'

/** Opacity of a bar: whatever is beneath shows through. */
const OPACITY = 0.55

export function drawRanges(context: CanvasRenderingContext2D, plot: Plot, ranges: Ranges, fill: string): void {
  const width = Math.max(1, Math.round(plot.ratio))
  context.save()
  context.globalAlpha = OPACITY
  context.fillStyle = fill
  const bars = pixelRanges(plot, ranges, width)
  for (let at = 0; at < bars.length; at += 3) {
    const [x, low, high] = [bars[at]!, yOf(plot, bars[at + 1]!), yOf(plot, bars[at + 2]!)]
    if (low - high >= 1) context.fillRect(x, high, width, low - high)
  }
  context.restore()
}

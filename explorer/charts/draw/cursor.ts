// Draws the line at the cursor's instant.

import { colours } from '../base/colours.ts'
import { type Plot, xOf } from '../base/plot.ts'

export function drawCursor(context: CanvasRenderingContext2D, plot: Plot, ms: number | null): void {
  if (ms === null) return
  const x = Math.round(xOf(plot, ms)) + 0.5
  context.strokeStyle = colours().cursor
  context.lineWidth = plot.ratio
  context.beginPath()
  context.moveTo(x, plot.top)
  context.lineTo(x, plot.top + plot.height)
  context.stroke()
}

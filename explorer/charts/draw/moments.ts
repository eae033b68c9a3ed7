// Draws the events of a market, such as its close, as vertical lines with names at the lower edge.

import { colours } from '../base/colours.ts'
import { type Plot, xOf } from '../base/plot.ts'
import type { Named } from '../base/stretches.ts'
import { axisFont } from './axes.ts'

const ROW_PX = 15
const ROOM_PX = 4

/** Stacks the names, so that names of neighbouring instants do not overlap. */
export function drawMoments(context: CanvasRenderingContext2D, plot: Plot, moments: readonly Named[]): void {
  const { ratio } = plot
  const ink = colours()
  const end = plot.left + plot.width
  context.font = axisFont(ratio)
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.lineWidth = ratio
  context.strokeStyle = ink.strong
  context.setLineDash([5 * ratio, 4 * ratio])
  for (const [row, { fromMs, text }] of moments.entries()) {
    const x = Math.round(xOf(plot, fromMs)) + 0.5
    if (x < plot.left || x > end) continue
    context.beginPath()
    context.moveTo(x, plot.top)
    context.lineTo(x, plot.top + plot.height)
    context.stroke()
    const width = context.measureText(text).width + 2 * ROOM_PX * ratio
    const left = x + width > end ? x - width : x
    const top = plot.top + plot.height - (row + 1) * ROW_PX * ratio - ROOM_PX * ratio
    context.fillStyle = ink.halo
    context.fillRect(left + ratio, top, width - 2 * ratio, (ROW_PX - 1) * ratio)
    context.fillStyle = ink.strong
    context.fillText(text, left + ROOM_PX * ratio, top + (ROW_PX / 2) * ratio)
  }
  context.setLineDash([])
}

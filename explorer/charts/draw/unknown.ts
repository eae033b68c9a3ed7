// Hatches the stretches in which the book is unknown, so that they do not look like an empty book, and labels them with
// the reason. Marks an empty book with a line.

import { colours } from '../base/colours.ts'
import { type Plot, xOf } from '../base/plot.ts'
import type { Named, Stretch } from '../base/stretches.ts'
import { axisFont } from './axes.ts'

const APART_PX = 7
const ROOM_PX = 8
const LABEL_TOP_PX = 4
const LINE_PX = 3

export function drawUnknown(context: CanvasRenderingContext2D, plot: Plot, stretches: readonly Stretch[]): void {
  context.strokeStyle = colours().hatch
  context.lineWidth = plot.ratio
  for (const stretch of stretches) hatch(context, plot, stretch)
}

/** Draws the text at the top of each stretch that is wide enough for it. A loss in a narrower stretch gets a flag. */
export function drawNames(
  context: CanvasRenderingContext2D,
  plot: Plot,
  named: readonly Named[],
  topPx = LABEL_TOP_PX,
): void {
  const { ratio } = plot
  const ink = colours()
  context.font = axisFont(ratio)
  context.textAlign = 'center'
  context.textBaseline = 'top'
  for (const stretch of named) {
    const { left, right } = shownPart(plot, stretch)
    if (right < plot.left || left > plot.left + plot.width) continue
    const width = context.measureText(stretch.text).width
    const middle = (left + right) / 2
    const top = plot.top + topPx * ratio
    if (width + ROOM_PX * ratio <= right - left) {
      context.fillStyle = ink.halo
      context.fillRect(middle - width / 2 - 3 * ratio, top - ratio, width + 6 * ratio, 14 * ratio)
      context.fillStyle = stretch.isLoss ? ink.warning : ink.text
      context.fillText(stretch.text, middle, top)
    } else if (stretch.isLoss) {
      context.fillStyle = ink.warning
      context.beginPath()
      context.moveTo(middle - 4 * ratio, plot.top)
      context.lineTo(middle + 4 * ratio, plot.top)
      context.lineTo(middle, plot.top + 6 * ratio)
      context.fill()
    }
  }
}

/** Draws a line along the upper or lower edge of each stretch, with its text if there is room. */
export function drawSpans(
  context: CanvasRenderingContext2D,
  plot: Plot,
  named: readonly Named[],
  { stroke, isAtTop }: { stroke: string; isAtTop: boolean },
): void {
  const { ratio } = plot
  context.font = axisFont(ratio)
  context.textAlign = 'center'
  context.textBaseline = isAtTop ? 'top' : 'bottom'
  const { halo } = colours()
  context.fillStyle = stroke
  for (const stretch of named) {
    const { left, right } = shownPart(plot, stretch)
    if (right < plot.left || left > plot.left + plot.width) continue
    const edge = isAtTop ? plot.top : plot.top + plot.height
    const line = LINE_PX * ratio
    context.fillRect(left, isAtTop ? edge : edge - line, Math.max(line, right - left), line)
    const width = context.measureText(stretch.text).width
    if (width + ROOM_PX * ratio > right - left) continue
    const [middle, y] = [(left + right) / 2, isAtTop ? edge + 2 * line : edge - 2 * line]
    // Amber text on the orange of asks is hard to read.
    context.fillStyle = halo
    context.fillRect(
      middle - width / 2 - 3 * ratio,
      isAtTop ? y - ratio : y - 13 * ratio,
      width + 6 * ratio,
      14 * ratio,
    )
    context.fillStyle = stroke
    context.fillText(stretch.text, middle, y)
  }
}

function shownPart(plot: Plot, { fromMs, toMs }: Stretch): { left: number; right: number } {
  const end = plot.left + plot.width
  return { left: Math.max(plot.left, xOf(plot, fromMs)), right: Math.min(end, xOf(plot, toMs)) }
}

function hatch(context: CanvasRenderingContext2D, plot: Plot, stretch: Stretch): void {
  const { left, right } = shownPart(plot, stretch)
  if (right <= left) return
  context.save()
  context.beginPath()
  context.rect(left, plot.top, right - left, plot.height)
  context.clip()
  context.beginPath()
  const apart = APART_PX * plot.ratio
  // Anchor the lines to time, so that they move with it.
  const anchor = xOf(plot, stretch.fromMs) % apart
  for (let x = anchor + Math.floor((left - plot.height - anchor) / apart) * apart; x < right; x += apart) {
    context.moveTo(x, plot.top + plot.height)
    context.lineTo(x + plot.height, plot.top)
  }
  context.stroke()
  context.restore()
}

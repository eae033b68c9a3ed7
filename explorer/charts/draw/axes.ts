// Draws the grid and the axes of a pane: values to the right of the plot and optionally to the left, time below it.

import { colours } from '../base/colours.ts'
import { type Plot, xOf, yOf } from '../base/plot.ts'
import { spreadOut } from '../base/spread-out.ts'

export type Mark = { at: number; text: string }

const FONT_PX = 11
const GAP_PX = 6

export const axisFont = (ratio: number): string => `${FONT_PX * ratio}px system-ui, "Segoe UI", Roboto, sans-serif`

export function drawAxes(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { times, values, hasTimeAxis }: { times: readonly Mark[]; values: readonly Mark[]; hasTimeAxis: boolean },
): void {
  const { text } = colours()
  const [right, bottom] = [plot.left + plot.width, plot.top + plot.height]
  const { ratio } = plot
  context.font = axisFont(ratio)
  context.fillStyle = text
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  // Labels are centred on their line: there is room for half a line above and below the plot.
  for (const { at, text } of values) context.fillText(text, right + GAP_PX * ratio, yOf(plot, at))
  context.textAlign = 'right'
  for (const { at, text } of plot.left > 0 ? values : [])
    context.fillText(text, plot.left - GAP_PX * ratio, yOf(plot, at))
  context.textAlign = 'left'
  if (!hasTimeAxis) return
  context.textBaseline = 'top'
  for (const { at, text } of times) {
    const half = context.measureText(text).width / 2
    const x = xOf(plot, at) - half
    // Omit labels that would be cut off at an end.
    if (x >= 0 && x + 2 * half <= context.canvas.width) context.fillText(text, x, bottom + GAP_PX * ratio)
  }
}

export function drawGrid(
  context: CanvasRenderingContext2D,
  plot: Plot,
  times: readonly Mark[],
  values: readonly Mark[],
): void {
  context.strokeStyle = colours().grid
  context.lineWidth = Math.max(1, Math.round(plot.ratio))
  context.beginPath()
  for (const { at } of times) {
    const x = Math.round(xOf(plot, at)) + 0.5
    context.moveTo(x, plot.top)
    context.lineTo(x, plot.top + plot.height)
  }
  for (const { at } of values) {
    const y = Math.round(yOf(plot, at)) + 0.5
    context.moveTo(plot.left, y)
    context.lineTo(plot.left + plot.width, y)
  }
  context.stroke()
}

export type Tag = { text: string; fill: string; ink: string }

/** Draws a label on an axis: at a value to the right of the plot, or at a time below it. Hides each of the axis's
 *  `marks` that the label would overlap, because a half-covered number looks like another number. `y` overrides the
 *  label's position. */
export function drawTag(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { value, ms, y, text, fill, ink }: Tag & { value?: number; ms?: number; y?: number },
  marks: readonly Mark[] = [],
): void {
  const { ratio } = plot
  context.font = axisFont(ratio)
  const right = plot.left + plot.width
  const [textWidth, height] = [context.measureText(text).width, (FONT_PX + GAP_PX) * ratio]
  const width = ms === undefined ? context.canvas.width - right : textWidth + 2 * GAP_PX * ratio
  // Reduce the indent of a long text: a number that is cut off looks like another number.
  const indent = Math.min(GAP_PX * ratio, (width - textWidth) / 2)
  const clamp = (at: number, least: number, most: number) => Math.max(least, Math.min(most, at))
  const left = ms === undefined ? right : clamp(xOf(plot, ms) - width / 2, 0, context.canvas.width - width)
  const top =
    value === undefined
      ? plot.top + plot.height + 2 * ratio
      : clamp((y ?? yOf(plot, value)) - height / 2, 0, context.canvas.height - height)
  context.fillStyle = colours().ground
  for (const mark of marks) {
    if (ms === undefined) {
      const y = yOf(plot, mark.at)
      const half = (FONT_PX / 2 + 1) * ratio
      if (y + half > top && y - half < top + height) context.fillRect(left, y - half, width, 2 * half)
    } else {
      const half = context.measureText(mark.text).width / 2 + ratio
      const x = xOf(plot, mark.at)
      if (x + half > left && x - half < left + width) context.fillRect(x - half, top, 2 * half, height)
    }
  }
  context.fillStyle = fill
  context.fillRect(left, top, width, height)
  context.fillStyle = ink
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.fillText(text, left + indent, top + height / 2)
}

/** Draws labels at values and moves them apart if they would overlap. Omits values outside the plot. */
export function drawValueTags(
  context: CanvasRenderingContext2D,
  plot: Plot,
  tags: readonly (Tag & { value: number })[],
  marks: readonly Mark[],
): void {
  const shown = tags.filter(({ value }) => value >= plot.low && value <= plot.high).sort((a, b) => b.value - a.value)
  const places = spreadOut(
    shown.map(({ value }) => yOf(plot, value)),
    (FONT_PX + GAP_PX + 1) * plot.ratio,
  )
  const placed = shown.map((tag, i) => ({ ...tag, y: places[i]! }))
  // Draw each label with `marks` first: this hides the marks beneath the label, which may cut off a neighbouring label.
  // Then draw all labels again.
  for (const covered of [marks, []]) for (const tag of placed) drawTag(context, plot, tag, covered)
}

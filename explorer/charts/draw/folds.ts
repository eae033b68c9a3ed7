// Draws the dates without stored data as bands labelled with their number. A band hides whatever is beneath it.

import { foldText } from '../../state/time-axis.ts'
import { colours } from '../base/colours.ts'
import { type Plot, xOf } from '../base/plot.ts'
import { axisFont } from './axes.ts'

const ROOM_PX = 8
/** Least width of a band for vertical text. */
const LINE_PX = 14

export function drawFolds(context: CanvasRenderingContext2D, plot: Plot): void {
  const { ratio } = plot
  const ink = colours()
  context.font = axisFont(ratio)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const fold of plot.folds ?? []) {
    const [left, right] = [xOf(plot, fold.fromMs), xOf(plot, fold.toMs)].map(Math.round) as [number, number]
    if (right < plot.left || left > plot.left + plot.width) continue
    context.fillStyle = ink.tag
    context.fillRect(left, plot.top, right - left, plot.height)
    const text = foldText(fold)
    const room = context.measureText(text).width + ROOM_PX * ratio
    const isLevel = room <= right - left
    if (!isLevel && (room > plot.height || right - left < LINE_PX * ratio)) continue
    context.save()
    context.translate((left + right) / 2, plot.top + (isLevel ? (ROOM_PX + LINE_PX / 2) * ratio : plot.height / 2))
    if (!isLevel) context.rotate(-Math.PI / 2)
    context.fillStyle = ink.text
    context.fillText(text, 0, 0)
    context.restore()
  }
}

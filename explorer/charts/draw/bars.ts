// Bars of a bucket each, from the lower edge of the pane or from a line in its middle.

import { type Plot, xOf, yOf } from '../base/plot.ts'
import { firstShown } from './lines.ts'

export type Bars = { times: ArrayLike<number>; values: ArrayLike<number>; resolutionMs: number }

/** Buckets that share a pixel show the largest of them. */
export function drawBars(context: CanvasRenderingContext2D, plot: Plot, bars: Bars, fill: string): void {
  const { times, values, resolutionMs } = bars
  const zero = yOf(plot, 0)
  const least = Math.max(1, devicePixelRatio)
  const room = ((resolutionMs / (plot.toMs - plot.fromMs)) * plot.width) % Number.MAX_VALUE
  const width = Math.max(least, room - (room >= 4 ? 1 : 0))
  context.fillStyle = fill
  context.beginPath()
  for (let at = firstShown(times, plot.fromMs); at < times.length && times[at]! <= plot.toMs; at++) {
    const value = values[at]!
    if (!(value !== 0) || Number.isNaN(value)) continue
    const y = yOf(plot, value)
    const height = Math.max(least, Math.abs(zero - y))
    context.rect(xOf(plot, times[at]!), value > 0 ? zero - height : zero, width, height)
  }
  context.fill()
}

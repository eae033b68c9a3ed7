// Draws one bar per bucket, upwards or downwards from the line of value 0.

import { msPerPixel, type Plot, xOf, yOf } from '../base/plot.ts'
import { firstShown } from './lines.ts'

export type Bars = { times: ArrayLike<number>; values: ArrayLike<number>; resolutionMs: number }

/** Draws the bars. Buckets that share a pixel show the largest value. */
export function drawBars(context: CanvasRenderingContext2D, plot: Plot, bars: Bars, fill: string): void {
  const { times, values, resolutionMs } = bars
  const zero = Math.round(yOf(plot, 0))
  const least = Math.max(1, Math.round(plot.ratio))
  const room = resolutionMs / msPerPixel(plot)
  const apart = room >= APART_FROM_PX ? least : 0
  context.fillStyle = fill
  let [left, right, largest] = [Number.NaN, Number.NaN, 0]
  const flush = () => {
    if (largest === 0) return
    const height = Math.max(least, Math.abs(zero - Math.round(yOf(plot, largest))))
    context.fillRect(left, largest > 0 ? zero - height : zero, Math.max(least, right - left - apart), height)
  }
  for (let at = firstShown(times, plot.fromMs); at < times.length && times[at]! <= plot.toMs; at++) {
    const value = values[at]!
    if (!(value !== 0) || Number.isNaN(value)) continue
    const x = Math.round(xOf(plot, times[at]!))
    if (x !== left) {
      flush()
      left = x
      right = Math.round(xOf(plot, times[at]! + resolutionMs))
      largest = 0
    }
    if (Math.abs(value) > Math.abs(largest)) largest = value
  }
  flush()
}

/** Bars at least this wide are drawn with a space between them, so that they can be counted. */
const APART_FROM_PX = 4

// Lines of values that hold for a bucket each: level over its bucket, upright between two, and broken where the next
// bucket is not there or a value is not known.

import { type Plot, xOf, yOf } from '../base/plot.ts'

export type SteppedLine = {
  /** Starts of buckets, Unix ms, ascending. */
  times: ArrayLike<number>
  /** NaN where there is none. */
  values: ArrayLike<number>
  /** Length of a bucket; 0 where a value holds until the next. */
  resolutionMs: number
}

export function drawStepped(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { times, values, resolutionMs }: SteppedLine,
  { stroke, width, halo, dash = [] }: { stroke: string; width: number; halo?: string; dash?: readonly number[] },
): void {
  const path = new Path2D()
  let endMs = Number.NaN
  for (let at = firstShown(times, plot.fromMs); at < times.length && times[at]! <= plot.toMs; at++) {
    const value = values[at]!
    if (Number.isNaN(value)) {
      endMs = Number.NaN
      continue
    }
    const startMs = times[at]!
    const [x, y] = [xOf(plot, startMs), yOf(plot, value)]
    if (startMs === endMs) path.lineTo(x, y)
    else path.moveTo(x, y)
    endMs = resolutionMs > 0 ? startMs + resolutionMs : (times[at + 1] ?? plot.toMs)
    path.lineTo(xOf(plot, endMs), y)
  }
  const ratio = devicePixelRatio
  context.lineJoin = 'round'
  context.setLineDash(dash.map((length) => length * ratio))
  if (halo !== undefined) {
    context.strokeStyle = halo
    context.lineWidth = (width + 1.5) * ratio
    context.stroke(path)
  }
  context.strokeStyle = stroke
  context.lineWidth = width * ratio
  context.stroke(path)
  context.setLineDash([])
}

/** The last that begins at the instant or before it, or the first of all. */
export function firstShown(times: ArrayLike<number>, ms: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= ms) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

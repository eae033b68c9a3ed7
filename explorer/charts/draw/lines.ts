// Draws stepped lines whose values each hold for a bucket: horizontal over the bucket, vertical between two buckets,
// and broken where the next bucket is missing or a value is unknown.

import { countUpTo } from '../../data/columns/count-up-to.ts'
import { msPerPixel, type Plot, xOf, yOf } from '../base/plot.ts'

export type SteppedLine = {
  /** Starts of buckets, Unix ms, ascending. */
  times: ArrayLike<number>
  /** NaN where there is no value. */
  values: ArrayLike<number>
  /** Length of a bucket; 0 if a value holds until the next one. */
  resolutionMs: number
}

type Style = { stroke: string; width: number; dash?: readonly number[] }

/** Width of the halo on each side of a line, which separates the line from its background. */
const HALO_PX = 0.75

/** Draws the halo of a line. Draw all halos of a pane before its lines, so that none hides another line. */
export function drawHalo(
  context: CanvasRenderingContext2D,
  plot: Plot,
  line: SteppedLine,
  { stroke, width }: Style,
): void {
  const more = Math.max(1, Math.round(HALO_PX * plot.ratio))
  fillRuns(context, runsOf(plot, line), { fill: stroke, thick: thickness(plot, width), more })
}

export function drawStepped(
  context: CanvasRenderingContext2D,
  plot: Plot,
  line: SteppedLine,
  { stroke, width, dash = [] }: Style,
): void {
  const runs = runsOf(plot, line)
  const scaled = (length: number) => length * plot.ratio
  if (dash.length > 0) drawDashed(context, runs, { stroke, width: scaled(width), dash: dash.map(scaled) })
  else fillRuns(context, runs, { fill: stroke, thick: thickness(plot, width), more: 0 })
}

const thickness = ({ ratio }: Plot, width: number): number => Math.max(1, Math.round(width * ratio))

/** Least width of a step: the vertical parts of narrower steps would form a band that hides what is beneath. */
const STEP_PX = 3

/** Returns the horizontal parts, four numbers each: x from, x to, y, and the y at which the vertical part starts, NaN
 *  if there is none. If buckets share a step, the last one counts. */
function runsOf(plot: Plot, { times, values, resolutionMs }: SteppedLine): Float64Array {
  const runs: number[] = []
  // Values that hold until the next one are all drawn, however short.
  const isCoarse = resolutionMs > 0
  const stepMs = msPerPixel(plot) * STEP_PX * plot.ratio
  const stepOf = (at: number) => Math.floor(times[at]! / stepMs)
  const endOf = (at: number) => (resolutionMs > 0 ? times[at]! + resolutionMs : (times[at + 1] ?? plot.toMs))
  let [endMs, lastY] = [Number.NaN, Number.NaN]
  for (let at = firstShown(times, plot.fromMs); at < times.length && times[at]! <= plot.toMs; at++) {
    const startMs = times[at]!
    const step = stepOf(at)
    while (isCoarse && at + 1 < times.length && stepOf(at + 1) === step && times[at + 1] === endOf(at)) at++
    const isNext = startMs === endMs
    const value = values[at]!
    endMs = endOf(at)
    if (Number.isNaN(value)) {
      lastY = Number.NaN
      continue
    }
    const y = Math.round(yOf(plot, value))
    const right = Math.round(xOf(plot, endMs))
    if (isNext && y === lastY) runs[runs.length - 3] = right
    else runs.push(Math.round(xOf(plot, startMs)), right, y, isNext ? lastY : Number.NaN)
    lastY = y
  }
  return Float64Array.from(runs)
}

/** Draws rectangles: without a graphics card they are many times faster than a path. */
function fillRuns(
  context: CanvasRenderingContext2D,
  runs: Float64Array,
  { fill, thick, more }: { fill: string; thick: number; more: number },
): void {
  const side = thick + 2 * more
  const half = Math.floor(thick / 2) + more
  context.fillStyle = fill
  for (let at = 0; at < runs.length; at += 4) {
    const [left, right, y, from] = [runs[at]!, runs[at + 1]!, runs[at + 2]!, runs[at + 3]!]
    context.fillRect(left - half, y - half, Math.max(0, right - left) + side, side)
    if (!Number.isNaN(from)) context.fillRect(left - half, Math.min(y, from) - half, side, Math.abs(y - from) + side)
  }
}

function drawDashed(
  context: CanvasRenderingContext2D,
  runs: Float64Array,
  { stroke, width, dash }: { stroke: string; width: number; dash: number[] },
): void {
  context.beginPath()
  for (let at = 0; at < runs.length; at += 4) {
    const [left, right, y, from] = [runs[at]!, runs[at + 1]!, runs[at + 2]!, runs[at + 3]!]
    if (Number.isNaN(from)) context.moveTo(left, y)
    else context.lineTo(left, y)
    context.lineTo(right, y)
  }
  context.setLineDash(dash)
  context.strokeStyle = stroke
  context.lineWidth = width
  context.stroke()
  context.setLineDash([])
}

/** Returns the index of the last bucket that starts at or before the instant, or 0. */
export const firstShown = (times: ArrayLike<number>, ms: number): number => Math.max(0, countUpTo(times, ms) - 1)

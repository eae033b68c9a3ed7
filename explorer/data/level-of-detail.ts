// Which level of detail shows a stretch of time, and in which windows it is asked for. Windows are aligned to the UTC
// day, so that everybody who looks asks for the same addresses.

import { DAY_MS } from '../state/shown.ts'
import type { TimeWindow } from './buckets/bucket-window.ts'

export const COLUMNS = 1_440
/** Of candles of an hour: the API answers no more days at a time. */
const WINDOW_MAX_MS = 15 * DAY_MS

/** Lengths of a column, ms; a window is 1,440 of them, and a day is a whole number of windows, or one window days. */
export const RESOLUTIONS_MS = [100, 250, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000] as const
/** Heights of a row, in ticks, and in dollars what the API gives of a whole window. */
const TICKS_A_ROW = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const
const PRICE_STEP_MIN = 0.0005
const PRICE_STEP_MAX = 0.1
/** Where the tick is not known. */
const TICK_UNKNOWN = 0.001

/** Columns a pixel, at most: the largest size of those that share one is seen. A day is then a window of minutes on
 *  most screens. */
const COLUMNS_PER_PIXEL = 2.2
/** The longest bucket that the API has. */
export const BUCKET_MAX_MS = 3_600_000
/** Lengths of a candle, ms, and how wide one is at least. */
export const CANDLES_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, BUCKET_MAX_MS, 14_400_000, DAY_MS] as const
const CANDLE_PX = 8

/** The finest resolution whose columns fit a plot of this width, px; the coarsest where none does. */
export function resolutionFor(spanMs: number, widthPx: number): number {
  const columnsMax = Math.max(1, widthPx * COLUMNS_PER_PIXEL)
  return RESOLUTIONS_MS.find((each) => spanMs / each <= columnsMax) ?? RESOLUTIONS_MS.at(-1)!
}

/** The finest length whose candles are wide enough to be told apart. */
export function candleFor(spanMs: number, widthPx: number): number {
  return CANDLES_MS.find((each) => (each / spanMs) * widthPx >= CANDLE_PX) ?? CANDLES_MS.at(-1)!
}

/** The finest whole number of ticks whose rows are at least a pixel high: a wall of one row would vanish otherwise, and
 *  a row of part of a tick would be empty more often than not. Dollars. */
export function priceStepFor(spanDollars: number, heightPx: number, tick: number | null): number {
  const steps = TICKS_A_ROW.map((ticks) => Number((ticks * (tick ?? TICK_UNKNOWN)).toFixed(6))).filter(
    (step) => step >= PRICE_STEP_MIN && step <= PRICE_STEP_MAX,
  )
  return steps.find((step) => spanDollars / step <= Math.max(1, heightPx)) ?? steps.at(-1) ?? PRICE_STEP_MAX
}

/** The aligned windows that hold a stretch, in order, of 1,440 columns or `mostMs`. `endMs` is behind the last column. */
export function windowsOf(fromMs: number, toMs: number, resolutionMs: number, mostMs = WINDOW_MAX_MS): TimeWindow[] {
  const lengthMs = Math.min(COLUMNS * resolutionMs, mostMs)
  const windows: TimeWindow[] = []
  for (let startMs = Math.floor(fromMs / lengthMs) * lengthMs; startMs < toMs; startMs += lengthMs) {
    windows.push({ startMs, endMs: startMs + lengthMs, resolutionMs })
  }
  return windows
}

/** The windows beside those that are shown, on the side that the view moves to. */
export function neighboursOf(windows: readonly TimeWindow[], direction: -1 | 0 | 1): TimeWindow[] {
  const [first, last] = [windows[0], windows.at(-1)]
  if (first === undefined || last === undefined) return []
  const moved = ({ startMs, endMs, resolutionMs }: TimeWindow, by: number) => {
    const lengthMs = endMs - startMs
    return { startMs: startMs + by * lengthMs, endMs: endMs + by * lengthMs, resolutionMs }
  }
  return [...(direction <= 0 ? [moved(first, -1)] : []), ...(direction >= 0 ? [moved(last, 1)] : [])]
}

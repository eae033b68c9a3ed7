// Chooses the level of detail for a span of time, and the windows in which it is requested. Windows are aligned to the
// UTC day, so that all readers request the same addresses.

import { DAY_MS } from '../state/shown.ts'
import type { TimeWindow } from './buckets/bucket-window.ts'

export const COLUMNS = 1_440
/** The longest window of hourly buckets that the API answers at a time. */
const WINDOW_MAX_MS = 15 * DAY_MS

/** Lengths of a column, ms. A window has 1,440 columns. For each length, either a day is a whole number of windows, or
 *  a window is a whole number of days. */
export const RESOLUTIONS_MS = [100, 250, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000] as const
/** Heights of a row, in ticks. For a whole window, the API accepts only price steps from PRICE_STEP_MIN to
 *  PRICE_STEP_MAX, dollars. */
const TICKS_A_ROW = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const
const PRICE_STEP_MIN = 0.0005
const PRICE_STEP_MAX = 0.1
/** Used if the tick is unknown, dollars. */
const TICK_UNKNOWN = 0.001

/** Greatest number of columns per pixel; columns that share a pixel show their largest size. On most screens a day is
 *  then one window with a column for each minute. */
const COLUMNS_PER_PIXEL = 2.2
/** The longest bucket of the API, ms. */
export const BUCKET_MAX_MS = 3_600_000
/** Lengths of a candle, ms, and the least width of a candle. */
export const CANDLES_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, BUCKET_MAX_MS, 14_400_000, DAY_MS] as const
const CANDLE_PX = 8

/** Returns the finest resolution whose columns fit a plot of this width (px), or the coarsest if none fits. */
export function resolutionFor(spanMs: number, widthPx: number): number {
  const columnsMax = Math.max(1, widthPx * COLUMNS_PER_PIXEL)
  return RESOLUTIONS_MS.find((each) => spanMs / each <= columnsMax) ?? RESOLUTIONS_MS.at(-1)!
}

/** Returns the finest length whose candles are wide enough to be distinguished. */
export function candleFor(spanMs: number, widthPx: number): number {
  return CANDLES_MS.find((each) => (each / spanMs) * widthPx >= CANDLE_PX) ?? CANDLES_MS.at(-1)!
}

/** Returns the height of a row in dollars: the smallest whole number of ticks that is at least a pixel high. A large
 *  order would vanish in a row of less than a pixel, and a row of part of a tick would mostly be empty. */
export function priceStepFor(spanDollars: number, heightPx: number, tick: number | null): number {
  const steps = TICKS_A_ROW.map((ticks) => Number((ticks * (tick ?? TICK_UNKNOWN)).toFixed(6))).filter(
    (step) => step >= PRICE_STEP_MIN && step <= PRICE_STEP_MAX,
  )
  return steps.find((step) => spanDollars / step <= Math.max(1, heightPx)) ?? steps.at(-1) ?? PRICE_STEP_MAX
}

/** Returns the aligned windows that cover a span, in order. Each has 1,440 columns; if these would be longer than
 *  `mostMs`, each window is `mostMs` long. `endMs` is exclusive. */
export function windowsOf(fromMs: number, toMs: number, resolutionMs: number, mostMs = WINDOW_MAX_MS): TimeWindow[] {
  const lengthMs = Math.min(COLUMNS * resolutionMs, mostMs)
  const windows: TimeWindow[] = []
  for (let startMs = Math.floor(fromMs / lengthMs) * lengthMs; startMs < toMs; startMs += lengthMs) {
    windows.push({ startMs, endMs: startMs + lengthMs, resolutionMs })
  }
  return windows
}

/** Returns the windows next to the visible ones, on the side to which the view moves, or on both sides if it does not
 *  move. */
export function neighboursOf(windows: readonly TimeWindow[], direction: -1 | 0 | 1): TimeWindow[] {
  const [first, last] = [windows[0], windows.at(-1)]
  if (first === undefined || last === undefined) return []
  const moved = ({ startMs, endMs, resolutionMs }: TimeWindow, by: number) => {
    const lengthMs = endMs - startMs
    return { startMs: startMs + by * lengthMs, endMs: endMs + by * lengthMs, resolutionMs }
  }
  return [...(direction <= 0 ? [moved(first, -1)] : []), ...(direction >= 0 ? [moved(last, 1)] : [])]
}

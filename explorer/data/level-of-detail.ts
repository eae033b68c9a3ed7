// Which level of detail shows a stretch of time, and in which windows it is asked for. Windows are aligned to the UTC
// day, so that everybody who looks asks for the same addresses.

export const COLUMNS = 1_440
const DAY_MS = 86_400_000

/** Lengths of a column, ms; a window is 1,440 of them, and a day is a whole number of windows, or one window days. */
export const RESOLUTIONS_MS = [100, 250, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000] as const
/** Heights of a row, dollars. */
export const PRICE_STEPS = [0.001, 0.0025, 0.005, 0.01, 0.05] as const

/** Columns a pixel, at most. */
const COLUMNS_PER_PIXEL = 1.5

/** The finest resolution whose columns fit a plot of this width, px; the coarsest where none does. */
export function resolutionFor(spanMs: number, widthPx: number): number {
  const columnsMax = Math.max(1, widthPx * COLUMNS_PER_PIXEL)
  return RESOLUTIONS_MS.find((each) => spanMs / each <= columnsMax) ?? RESOLUTIONS_MS.at(-1)!
}

/** The finest step whose rows are at least a pixel high: a wall of one row would vanish otherwise. */
export function priceStepFor(spanDollars: number, heightPx: number): number {
  return PRICE_STEPS.find((step) => spanDollars / step <= Math.max(1, heightPx)) ?? PRICE_STEPS.at(-1)!
}

export type TimeWindow = { startMs: number; endMs: number; resolutionMs: number }

/** The aligned windows that hold a stretch, in order. `endMs` is behind the last column. */
export function windowsOf(fromMs: number, toMs: number, resolutionMs: number): TimeWindow[] {
  const lengthMs = COLUMNS * resolutionMs
  const windows: TimeWindow[] = []
  for (let startMs = Math.floor(fromMs / lengthMs) * lengthMs; startMs < toMs; startMs += lengthMs) {
    windows.push({ startMs, endMs: startMs + lengthMs, resolutionMs })
  }
  return windows
}

/** The coarser window that holds this one, for the time until it is there. Undefined beyond a day. */
export function coarserOf({ startMs, resolutionMs }: TimeWindow): TimeWindow | undefined {
  const coarser = RESOLUTIONS_MS[(RESOLUTIONS_MS as readonly number[]).indexOf(resolutionMs) + 1]
  if (coarser === undefined || coarser * COLUMNS > DAY_MS) return undefined
  return windowsOf(startMs, startMs + 1, coarser)[0]
}

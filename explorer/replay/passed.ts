// Cuts windows off at a horizon. A bucket or column that ends after the horizon is dropped whole, because its values
// also describe the hidden time.

import type { EachTrade, QuoteWindow, TradeCandles } from '../data/buckets/bucket-window.ts'
import { remembered } from '../data/buckets/remembered.ts'
import { countUpTo } from '../data/columns/count-up-to.ts'
import { countTradesAt, type TradeColumns } from '../data/columns/trade-columns.ts'
import type { DepthWindow } from '../data/depth-window.ts'
import { type Horizon, hiddenFrom } from '../state/horizon.ts'
import { dayStartMs } from '../state/shown.ts'

/** Returns the number of buckets that end at or before the horizon; `times` are the starts of the buckets. */
export const countPassed = (times: ArrayLike<number>, lengthMs: number, horizon: Horizon | null): number =>
  countUpTo(times, hiddenFrom(horizon) - lengthMs)

/** Cuts all columns to their first rows; copies the other properties. */
export const firstRows = <T extends object>(columns: T, rows: number): T =>
  Object.fromEntries(
    Object.entries(columns).map(([name, each]) => [
      name,
      Array.isArray(each) || ArrayBuffer.isView(each) ? (each as Float64Array).slice(0, rows) : each,
    ]),
  ) as T

const firstQuotes = remembered((window: QuoteWindow, rows) => ({
  ...window,
  rows,
  columns: firstRows(window.columns, rows),
}))
const firstTrades = remembered((window: TradeCandles, rows) => ({ ...firstRows(window, rows), rows }))
const firstColumns = remembered((window: DepthWindow, columns): DepthWindow => {
  const sizes = new Float32Array(window.prices.length * columns)
  for (let row = 0; row < window.prices.length; row++) {
    const from = row * window.columns
    sizes.set(window.sizes.subarray(from, from + columns), row * columns)
  }
  const known = window.known
    .filter(([first]) => first < columns)
    .map(([first, last]) => [first, Math.min(last, columns - 1)] as const)
  return { ...window, endMs: window.startMs + columns * window.resolutionMs, columns, sizes, known }
})

export function passedQuotes(window: QuoteWindow, horizon: Horizon | null): QuoteWindow {
  const rows = countPassed(window.columns.timestamp, window.resolutionMs, horizon)
  return rows === window.rows ? window : firstQuotes(window, rows)
}

export function passedTrades(window: TradeCandles, horizon: Horizon | null): TradeCandles {
  const rows = countPassed(window.timestamp, window.resolutionMs, horizon)
  return rows === window.rows ? window : firstTrades(window, rows)
}

/** Returns the columns that end before the horizon; null if there are none. */
export function passedDepth(window: DepthWindow, horizon: Horizon | null): DepthWindow | null {
  const passed = Math.floor((hiddenFrom(horizon) - window.startMs) / window.resolutionMs)
  if (passed >= window.columns) return window
  return passed < 1 ? null : firstColumns(window, passed)
}

export function passedEach(window: EachTrade, horizon: Horizon | null): EachTrade {
  if (horizon === null) return window
  const rows = countTradesAt(window, { atMs: horizon.ms, record: horizon.record })
  return { ...firstRows(window, rows), rows }
}

/** Returns the trades up to the horizon. `date` is the date of the trades. */
export function passedOfDay(trades: TradeColumns, date: string, horizon: Horizon | null): TradeColumns {
  if (horizon === null || Date.parse(date) !== dayStartMs(horizon.ms)) return trades
  return firstRows(trades, countTradesAt(trades, { atMs: horizon.ms, record: horizon.record }))
}

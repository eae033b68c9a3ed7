// Merges buckets into longer ones. The API has none longer than an hour, so the page merges hours itself.

import type { QuoteWindow, TradeCandles } from './bucket-window.ts'
import { remembered } from './remembered.ts'

type Column = Float64Array
/** Merges the rows `from` to `to` of a column (`to` excluded) into one value; NaN if none has a value. */
type Fold = (values: Column, from: number, to: number) => number

const sum: Fold = (values, from, to) => values.subarray(from, to).reduce((total, each) => total + each, 0)
const last: Fold = (values, _, to) => values[to - 1]!
const known = (values: Column, from: number, to: number) =>
  values.subarray(from, to).filter((each) => !Number.isNaN(each))
export const firstKnown: Fold = (...part) => known(...part)[0] ?? Number.NaN
export const lastKnown: Fold = (...part) => known(...part).at(-1) ?? Number.NaN
export const least: Fold = (...part) => extreme(known(...part), Math.min)
export const most: Fold = (...part) => extreme(known(...part), Math.max)
const extreme = (values: Column, of: typeof Math.min) => (values.length === 0 ? Number.NaN : of(...values))

const QUOTES: Record<Exclude<keyof QuoteWindow['columns'], 'timestamp'>, Fold> = {
  quote_count: sum,
  ...{ best_bid: last, best_bid_low: least, best_bid_high: most },
  ...{ best_ask: last, best_ask_low: least, best_ask_high: most },
  ...{ mid_price_open: firstKnown, mid_price_high: most, mid_price_low: least, mid_price_close: lastKnown },
  spread: last,
}
const TRADES = {
  ...{ open: firstKnown, high: most, low: least, close: lastKnown },
  ...{ volume: sum, buyVolume: sum, sellVolume: sum, count: sum },
}

/** Returns the rows at which buckets of `lengthMs` start, followed by the number of rows; and the start times. */
function bucketsOf(times: Column, lengthMs: number): { starts: number[]; timestamp: Column } {
  const starts: number[] = []
  const begins: number[] = []
  for (const [row, ms] of times.entries()) {
    const begin = Math.floor(ms / lengthMs) * lengthMs
    if (begin !== begins.at(-1)) {
      starts.push(row)
      begins.push(begin)
    }
  }
  return { starts: [...starts, times.length], timestamp: Float64Array.from(begins) }
}

const folded = (values: Column, starts: readonly number[], fold: Fold): Column =>
  Float64Array.from(starts.slice(1), (to, i) => fold(values, starts[i]!, to))

/** Merges buckets of quotes. `lengthMs` is a multiple of the window's resolution, and divides the window's length. */
export const foldedQuotes = remembered((window: QuoteWindow, lengthMs): QuoteWindow => {
  if (window.resolutionMs >= lengthMs) return window
  const { starts, timestamp } = bucketsOf(window.columns.timestamp, lengthMs)
  const columns = Object.entries(QUOTES).map(([name, fold]) => [
    name,
    folded(window.columns[name as keyof typeof QUOTES], starts, fold),
  ])
  return {
    ...window,
    resolutionMs: lengthMs,
    rows: timestamp.length,
    columns: { timestamp, ...Object.fromEntries(columns) },
  }
})

/** Merges buckets of trades. `lengthMs` has the same conditions as in `foldedQuotes`. */
export const foldedTrades = remembered((window: TradeCandles, lengthMs): TradeCandles => {
  if (window.resolutionMs >= lengthMs) return window
  const { starts, timestamp } = bucketsOf(window.timestamp, lengthMs)
  const columns = Object.entries(TRADES).map(([name, fold]) => [
    name,
    folded(window[name as keyof typeof TRADES], starts, fold),
  ])
  const { volume, ...others } = Object.fromEntries(columns) as Record<keyof typeof TRADES, Column>
  const notional = folded(
    window.vwap.map((vwap, row) => vwap * window.volume[row]!),
    starts,
    sum,
  )
  const vwap = notional.map((each, row) => each / volume[row]!)
  return { ...window, ...others, resolutionMs: lengthMs, rows: timestamp.length, timestamp, vwap, volume }
})

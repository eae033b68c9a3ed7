// How far one price is above another, where both are known at the same time.

import { rowAt } from '../data/columns/count-up-to.ts'

export type Column = { times: Float64Array; values: Float64Array }

/** Of two columns with ascending times: at each time of both, NaN where either has none. Dollars, exact to a millionth
 *  of one: the prices are. */
export function differenceOf(first: Column, second: Column): Column {
  const times: number[] = []
  const values: number[] = []
  for (let a = 0, b = 0; a < first.times.length && b < second.times.length; ) {
    const [at, other] = [first.times[a]!, second.times[b]!]
    if (at === other) {
      times.push(at)
      values.push(Math.round((first.values[a]! - second.values[b]!) * 1e6) / 1e6)
    }
    if (at <= other) a++
    if (other <= at) b++
  }
  return { times: Float64Array.from(times), values: Float64Array.from(values) }
}

/** The value of the bucket that holds an instant, NaN where none does. */
export const valueAt = ({ times, values }: Column, ms: number, resolutionMs: number): number =>
  values[rowAt(times, ms, resolutionMs)] ?? Number.NaN

/** Whether any value is known within a stretch. */
export const hasValueIn = ({ times, values }: Column, { fromMs, toMs }: { fromMs: number; toMs: number }): boolean =>
  times.some((ms, row) => ms >= fromMs && ms <= toMs && !Number.isNaN(values[row]!))

/** From the least to the most of what is shown, with room, and never without `around`. */
export function rangeOf(
  columns: readonly Column[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
  { around, least }: { around: number | null; least: number },
): { low: number; high: number } {
  let [low, high] = around === null ? [Infinity, -Infinity] : [around, around]
  for (const { times, values } of columns) {
    for (let row = 0; row < times.length; row++) {
      if (times[row]! < fromMs || times[row]! > toMs || Number.isNaN(values[row]!)) continue
      low = Math.min(low, values[row]!)
      high = Math.max(high, values[row]!)
    }
  }
  if (low > high) return { low: 0, high: 1 }
  const room = Math.max(least, (high - low) * 0.12)
  return { low: low - room, high: high + room }
}

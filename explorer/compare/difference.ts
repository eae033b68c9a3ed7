// Computes the difference of two prices at the times at which both are known.

import { rowAt } from '../data/columns/count-up-to.ts'

export type Column = { times: Float64Array; values: Float64Array }

/** Subtracts two columns with ascending times. Returns the times that are in both, with NaN where either value is NaN.
 *  Rounds to 1e-6 dollars, the precision of prices. */
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

/** Returns the value of the bucket that contains an instant; NaN if there is none. */
export const valueAt = ({ times, values }: Column, ms: number, resolutionMs: number): number =>
  values[rowAt(times, ms, resolutionMs)] ?? Number.NaN

/** Returns whether any value is known within a span. */
export const hasValueIn = ({ times, values }: Column, { fromMs, toMs }: { fromMs: number; toMs: number }): boolean =>
  times.some((ms, row) => ms >= fromMs && ms <= toMs && !Number.isNaN(values[row]!))

/** Returns the range of the visible values, with some room, widened to include `around`. Returns 0 to 1 if there are
 *  none. */
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

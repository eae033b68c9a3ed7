// Computes the lowest and highest value of each pixel column.

import { countUpTo } from '../../data/columns/count-up-to.ts'
import { type Plot, xOf } from './plot.ts'

export type Ranges = {
  /** Starts of buckets, Unix ms, ascending. */
  times: ArrayLike<number>
  /** NaN for a bucket without a value. */
  low: ArrayLike<number>
  high: ArrayLike<number>
  /** Length of a bucket. */
  resolutionMs: number
}

/** Returns three numbers for each pixel column that contains the middle of a bucket: left edge, lowest, highest. */
export function pixelRanges(plot: Plot, { times, low, high, resolutionMs }: Ranges, widthPx: number): number[] {
  const bars: number[] = []
  for (let at = Math.max(0, countUpTo(times, plot.fromMs) - 1); at < times.length && times[at]! <= plot.toMs; at++) {
    if (!(high[at]! >= low[at]!)) continue
    const x = Math.floor(xOf(plot, times[at]! + resolutionMs / 2) / widthPx) * widthPx
    const last = bars.length - 3
    if (bars[last] === x) {
      bars[last + 1] = Math.min(bars[last + 1]!, low[at]!)
      bars[last + 2] = Math.max(bars[last + 2]!, high[at]!)
    } else bars.push(x, low[at]!, high[at]!)
  }
  return bars
}

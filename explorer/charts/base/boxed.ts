// Converts a box drawn on a plot to a span of time and a range of prices.

import { SPAN_MIN_MS, type Span } from '../../state/shown.ts'
import { zoomed } from '../../state/time-axis.ts'
import { msAt, type Plot, valueAt } from './plot.ts'
import { type Prices, zoomedPrices } from './price-range.ts'

export type Point = { x: number; y: number }

/** Returns the time and prices between two corners, given in pixels from the plot's corner. A box that is too small is
 *  widened around its middle to the smallest allowed range. */
export function boxed(plot: Plot, a: Point, b: Point): { span: Span; prices: Prices } {
  const span = { fromMs: msAt(plot, Math.min(a.x, b.x)), toMs: msAt(plot, Math.max(a.x, b.x)) }
  const middleMs = Math.round((span.fromMs + span.toMs) / 2)
  const isLong = span.toMs - span.fromMs >= SPAN_MIN_MS
  const [low, high] = [valueAt(plot, Math.max(a.y, b.y)), valueAt(plot, Math.min(a.y, b.y))]
  return {
    span: isLong ? span : zoomed({ fromMs: middleMs - 1, toMs: middleMs + 1 }, 1, middleMs),
    prices: zoomedPrices({ low, high }, 1, (low + high) / 2),
  }
}

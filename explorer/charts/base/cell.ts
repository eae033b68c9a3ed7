// Finds the cell of a depth map under the pointer.

import { countUpTo } from '../../data/columns/count-up-to.ts'
import type { DepthWindow } from '../../data/depth-window.ts'
import { halfTick, rowHeights } from './row-heights.ts'

export type Cell = {
  /** Contracts: positive for bids, negative for asks, 0 where nothing rests. */
  size: number
  isKnown: boolean
  /** Lower end of the row; `high` is its upper end. Dollars. */
  low: number
  high: number
  fromMs: number
  toMs: number
  /** Start of the run of cells with this size, Unix ms. Goes no further back than the window. */
  sinceMs: number
}

/** Returns the cell that is drawn at the price `pointed`, in dollars. Undefined outside the window. */
export function cellAt(
  window: DepthWindow,
  ms: number,
  pointed: number,
  { tickAt, tick }: { tickAt: (dollars: number) => number | null; tick: number | null },
): Cell | undefined {
  const dollars = pointed + halfTick(window, tick)
  const { startMs, resolutionMs, columns, prices, priceStep, sizes, known } = window
  const column = Math.floor((ms - startMs) / resolutionMs)
  if (column < 0 || column >= columns) return undefined
  const heights = rowHeights(prices, priceStep, tickAt)
  // The last row that starts at or below the price.
  const row = countUpTo(prices, dollars + 1e-9) - 1
  const height = row === -1 ? 0 : heights[row]! * priceStep
  const isIn = row !== -1 && dollars < prices[row]! + height
  const low = isIn ? prices[row]! : Math.floor(dollars / priceStep + 1e-6) * priceStep
  const size = isIn ? sizes[row * columns + column]! : 0
  let first = column
  while (isIn && first > 0 && sizes[row * columns + first - 1] === size) first--
  const isKnown = known.some(([from, to]) => column >= from && column <= to)
  const fromMs = startMs + column * resolutionMs
  const sinceMs = startMs + first * resolutionMs
  return { size, isKnown, low, high: low + (isIn ? height : priceStep), fromMs, toMs: fromMs + resolutionMs, sinceMs }
}

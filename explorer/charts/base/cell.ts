// The cell of a depth map under the pointer.

import { countUpTo } from '../../data/columns/count-up-to.ts'
import type { DepthWindow } from '../../data/depth-window.ts'
import { halfTick, rowHeights } from './row-heights.ts'

export type Cell = {
  /** Contracts: of bids positive, of asks negative, 0 where nothing rested. */
  size: number
  isKnown: boolean
  /** Dollars: from here, up to here. */
  low: number
  high: number
  fromMs: number
  toMs: number
  /** Since when the cells before it have the same size, as far back as the window reaches. */
  sinceMs: number
}

/** Of the price that is drawn at `pointed`, dollars. Undefined outside of the window. */
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
  // The last row that begins at the price or below it.
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

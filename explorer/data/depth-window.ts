// A window of the depth map, read from the API's Arrow answer.

import type { TimeWindow } from './buckets/bucket-window.ts'
import { ArrowTable } from './columns/arrow.ts'

export type DepthWindow = TimeWindow & {
  columns: number
  /** Height of a row, dollars. */
  priceStep: number
  /** Lower ends of the rows, dollars, ascending. Only prices at which something rested have a row. */
  prices: Float64Array
  /** Sizes row by row, `columns` values for each row. Contracts: positive for bids, negative for asks, 0 where nothing
   *  rested. */
  sizes: Float32Array
  /** Ranges of columns in which the book is known, [first, last]. An unknown book is not an empty one. */
  known: readonly (readonly [first: number, last: number])[]
}

/** Reads a window. `bytes` is an Arrow stream with one row per price. */
export function depthWindowOf(bytes: Uint8Array, window: TimeWindow, priceStep: number): DepthWindow {
  const table = new ArrowTable(bytes)
  const columns = Number(table.metadata.get('backbook.columns'))
  const known = JSON.parse(table.metadata.get('backbook.known') ?? '[]') as [number, number][]
  return { ...window, columns, priceStep, prices: table.numbers('price'), sizes: table.items('sizes'), known }
}

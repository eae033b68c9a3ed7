// A window of the depth map, as the API's Arrow answer has it.

import type { TimeWindow } from './buckets/bucket-window.ts'
import { ArrowTable } from './columns/arrow.ts'

export type DepthWindow = TimeWindow & {
  columns: number
  /** Height of a row, dollars. */
  priceStep: number
  /** Where each row begins, dollars, ascending: prices at which anything rested. */
  prices: Float64Array
  /** Row by row, `columns` each: contracts, of bids positive, of asks negative, 0 where nothing rested. */
  sizes: Float32Array
  /** Runs of columns in which the book is known, [first, last]. Unknown is not empty. */
  known: readonly (readonly [first: number, last: number])[]
}

/** `bytes` are an Arrow stream of a row a price. */
export function depthWindowOf(bytes: Uint8Array, window: TimeWindow, priceStep: number): DepthWindow {
  const table = new ArrowTable(bytes)
  const columns = Number(table.metadata.get('backbook.columns'))
  const known = JSON.parse(table.metadata.get('backbook.known') ?? '[]') as [number, number][]
  return { ...window, columns, priceStep, prices: table.numbers('price'), sizes: table.items('sizes'), known }
}

// A window of the depth map, as the API's Arrow answer has it.

import { tableFromIPC } from '@uwdata/flechette'
import type { TimeWindow } from './level-of-detail.ts'

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
  const table = tableFromIPC(bytes)
  const { metadata } = table.schema
  const columns = Number(metadata?.get('backbook.columns'))
  const prices = Float64Array.from(table.getChild('price').toArray() as ArrayLike<number>)
  const sizes = new Float32Array(prices.length * columns)
  let at = 0
  for (const { children } of table.getChild('sizes').data as unknown as { children: { values: Float32Array }[] }[]) {
    const values = children[0]!.values
    sizes.set(values, at)
    at += values.length
  }
  const known = JSON.parse(metadata?.get('backbook.known') ?? '[]') as [number, number][]
  return { ...window, columns, priceStep, prices, sizes, known }
}

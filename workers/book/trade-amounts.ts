// Decodes the prices and sizes of a block's trades. Reads no other column.

import { DataError } from '../../storage/failures.ts'
import type { Block, ShapeColumns } from '../../storage/format/block.ts'
import { decodeDistinct } from '../../storage/format/columns/slot-column.ts'
import type { TradeTotals } from '../../storage/format/partition-head.ts'
import { type Amount, effectOf } from '../../storage/format/shape.ts'
import { MICROS } from '../../storage/units.ts'
import { ExactSum } from '../bytes/exact-sum.ts'
import type { BookColumns } from './book-columns.ts'
import { toMicros } from './level-columns.ts'

/** Returns the trade size of each row, for each shape, in 1e-6 contracts. NaN if the price or the size is unreadable;
 *  undefined for a shape that is not a trade. Throws DataError('block_corrupt'). */
export function tradeSizes({ shapes }: Block): (Float64Array | undefined)[] {
  try {
    return shapes.map((columns) => tradeAmounts(columns)?.sizes)
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new DataError('block_corrupt', `Cannot read the trades of a stored block: ${(error as Error).message}`)
  }
}

/** Returns the number of trades without a book, then the number of trades of each book; empty if there are no trades.
 *  `sizes` is the result of `tradeSizes`. */
export function countTrades(
  { recordCount, operations, books, bookIds }: Pick<BookColumns, 'recordCount' | 'operations' | 'books' | 'bookIds'>,
  sizes: readonly (Float64Array | undefined)[],
): number[] {
  if (sizes.every((each) => each === undefined)) return []
  const counts = new Array<number>(bookIds.length + 1).fill(0)
  const rows = new Int32Array(sizes.length)
  for (let record = 0; record < recordCount; record++) {
    const shape = operations[record]! >>> 1
    const size = sizes[shape]?.[rows[shape]!++]
    if (size !== undefined && !Number.isNaN(size)) counts[books[record]!]!++
  }
  return counts.some((count) => count > 0) ? counts : []
}

/** Adds the trades of a block to `totals`, by book number; 0 is for trades without a book. */
export function addTrades(
  totals: readonly TradeTotals[],
  { recordCount, operations, books }: Pick<BookColumns, 'recordCount' | 'operations' | 'books'>,
  sizes: readonly (Float64Array | undefined)[],
): void {
  if (sizes.every((each) => each === undefined)) return
  const rows = new Int32Array(sizes.length)
  const volumes = totals.map(() => new ExactSum())
  for (let record = 0; record < recordCount; record++) {
    const shape = operations[record]! >>> 1
    const size = sizes[shape]?.[rows[shape]!++]
    if (size === undefined || Number.isNaN(size)) continue
    const book = books[record]!
    totals[book]!.tradeCount++
    volumes[book]!.add(size)
  }
  for (const [book, total] of totals.entries()) {
    total.tradeVolume = String(BigInt(total.tradeVolume) + volumes[book]!.total())
  }
}

/** Amounts of trades: prices in 1e-6 dollars, sizes in 1e-6 contracts. The size is NaN if the price or the size is
 *  unreadable. */
export type TradeAmounts = { prices: Float64Array; sizes: Float64Array }

/** Returns the amounts of a shape's trades; undefined for a shape that is not a trade. */
export function tradeAmounts({ shape, slots, rowCount }: ShapeColumns): TradeAmounts | undefined {
  const { trade } = shape
  if (effectOf(shape) !== 'trade') return undefined
  if (trade === null) return { prices: new Float64Array(rowCount), sizes: new Float64Array(rowCount).fill(Number.NaN) }
  const micros = ({ slot, mayBeCents }: Amount) => toMicros({ ...decodeDistinct(slots[slot]!, rowCount), mayBeCents })
  const [prices, sizes] = [micros(trade.price), micros(trade.size)]
  for (let row = 0; row < rowCount; row++) if (!(isPrice(prices[row]!) && sizes[row]! >= 0)) sizes[row] = Number.NaN
  return { prices, sizes }
}

const isPrice = (micros: number): boolean => micros >= 0 && micros <= MICROS

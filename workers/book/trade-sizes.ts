// How many trades a block has, and how many contracts they are about. No other column of it is read.

import { DataError } from '../../storage/failures.ts'
import type { Block, ShapeColumns } from '../../storage/format/block.ts'
import { decodeDistinct } from '../../storage/format/columns/slot-column.ts'
import type { Amount } from '../../storage/format/shape.ts'
import { MICROS } from '../../storage/units.ts'
import type { BookColumns } from './book-columns.ts'
import { toMicros } from './level-columns.ts'

/** Of each shape the size of each row, in 1e-6 contracts; NaN for a trade whose price or size cannot be read. Undefined
 *  for a shape that is no trade. Throws DataError('block_corrupt'). */
export function tradeSizes({ shapes }: Block): (Float64Array | undefined)[] {
  try {
    return shapes.map(sizesOf)
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new DataError('block_corrupt', `Cannot read the trades of a stored block: ${(error as Error).message}`)
  }
}

/** Trades of no book, then of each in order; empty without trades. `sizes` are those of `tradeSizes`. */
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

function sizesOf({ shape: { kind, trade }, slots, rowCount }: ShapeColumns): Float64Array | undefined {
  if (kind !== 'trade') return undefined
  if (trade === null) return new Float64Array(rowCount).fill(Number.NaN)
  const micros = ({ slot, mayBeCents }: Amount) => toMicros({ ...decodeDistinct(slots[slot]!, rowCount), mayBeCents })
  const [prices, sizes] = [micros(trade.price), micros(trade.size)]
  return sizes.map((size, row) => (isPrice(prices[row]!) && size >= 0 ? size : Number.NaN))
}

const isPrice = (micros: number): boolean => micros >= 0 && micros <= MICROS

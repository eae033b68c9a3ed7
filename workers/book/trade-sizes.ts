// How many contracts the trades of a block are about. No other column of it is read.

import { DataError } from '../../storage/failures.ts'
import type { Block, ShapeColumns } from '../../storage/format/block.ts'
import { decodeDistinct } from '../../storage/format/columns/slot-column.ts'
import type { Amount } from '../../storage/format/shape.ts'
import { MICROS } from '../../storage/units.ts'
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

function sizesOf({ shape: { kind, trade }, slots, rowCount }: ShapeColumns): Float64Array | undefined {
  if (kind !== 'trade') return undefined
  if (trade === null) return new Float64Array(rowCount).fill(Number.NaN)
  const micros = ({ slot, mayBeCents }: Amount) => toMicros({ ...decodeDistinct(slots[slot]!, rowCount), mayBeCents })
  const [prices, sizes] = [micros(trade.price), micros(trade.size)]
  return sizes.map((size, row) => (isPrice(prices[row]!) && size >= 0 ? size : Number.NaN))
}

const isPrice = (micros: number): boolean => micros >= 0 && micros <= MICROS

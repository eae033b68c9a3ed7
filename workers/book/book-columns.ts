// Decodes those columns of a block that its books need, as plain arrays. Reads nothing else of the block.

import { DataError } from '../../storage/failures.ts'
import { type Block, type ShapeColumns, unpackIndexes, unpackInts } from '../../storage/format/block.ts'
import { decodeNumbers } from '../../storage/format/columns/number-column.ts'
import { decodeDistinct, decodeWords } from '../../storage/format/columns/slot-column.ts'
import type { TextTable } from '../../storage/format/columns/text-column.ts'
import { type Amount, effectOf, type RecordKind } from '../../storage/format/shape.ts'
import { MICROS } from '../../storage/units.ts'
import { freeBytes } from '../bytes/free-bytes.ts'
import { type AmountValues, changeLevels, type LevelColumns, sideLevels, toMicros } from './level-columns.ts'
import { NO_PRICE } from './order-book.ts'

export type ShapeBooks = {
  kind: RecordKind
  /** Whether the shape's records are stored but not shown by their date. Such records change no book. */
  isAside: boolean
  isSigned: boolean
  /** One item for the changes of a delta; one item for each side of a snapshot. */
  levels: LevelColumns[]
  /** The venue's best prices after each change: NO_PRICE for an empty side, NaN if not stated. */
  best: { bids: Float64Array; asks: Float64Array } | undefined
}

export type BookColumns = {
  recordCount: number
  timesMs: Float64Array
  /** For each record: twice the index of its shape, plus one if the record opens a quote. */
  operations: Uint16Array
  /** For each record: the number of its book; 0 for a record of the whole market. */
  books: Uint16Array
  bookIds: string[]
  shapes: ShapeBooks[]
}

/** Limits decoding for a caller that needs part of a block: decodes the shapes of the records before `end` only. */
export type LevelsWanted = { end(records: Pick<BookColumns, 'recordCount' | 'timesMs'>): number }

/** Decodes what the books of a block need. `hasBest`: also decodes the venue's best prices, which change no established
 *  or lost book. Throws DataError('block_corrupt'). */
export function bookColumns(block: Block, wanted?: LevelsWanted, hasBest = true): BookColumns {
  try {
    const { recordCount } = block
    const timesMs = unpackInts(block.timesMs, recordCount)
    const operations = unpackIndexes(block.operations, recordCount)
    const end = Math.min(wanted?.end({ recordCount, timesMs }) ?? recordCount, recordCount)
    const rows = end === recordCount ? undefined : rowsBefore(operations, end, block.shapes.length)
    return {
      recordCount,
      timesMs,
      operations,
      books: unpackIndexes(block.bookIndexes, recordCount),
      bookIds: block.books,
      shapes: block.shapes.map((columns, shape) => shapeBooks(columns, rows?.[shape] ?? columns.rowCount, hasBest)),
    }
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new DataError('block_corrupt', `Cannot read the books of a stored block: ${(error as Error).message}`)
  }
}

/** Frees the memory of the columns; they must not be used afterwards. */
export function freeColumns({ timesMs, operations, books, shapes }: BookColumns): void {
  for (const column of [timesMs, operations, books]) freeBytes(column)
  for (const { levels, best } of shapes) {
    for (const { lengths, cells, sizes, heights } of levels) {
      freeBytes(cells)
      freeBytes(sizes)
      if (lengths !== undefined) freeBytes(lengths)
      if (heights !== undefined) freeBytes(heights)
    }
    if (best === undefined) continue
    freeBytes(best.bids)
    freeBytes(best.asks)
  }
}

function rowsBefore(operations: Uint16Array, end: number, shapeCount: number): Int32Array {
  const rows = new Int32Array(shapeCount)
  for (let record = 0; record < end; record++) rows[operations[record]! >>> 1]!++
  return rows
}

/** Decodes the first `rowCount` rows of a shape. */
function shapeBooks(columns: ShapeColumns, rowCount: number, hasBest: boolean): ShapeBooks {
  const { shape } = columns
  const isFirst = rowCount < columns.rowCount
  const lengths = columns.listLengths.map((list) => decodeNumbers(list, rowCount, undefined, isFirst))
  const rowsOf = (slot: number): number => {
    const { list } = shape.slots[slot]!
    return list < 0 ? rowCount : sum(lengths[list]!)
  }
  // No slot of a book is stored relative to the event time, so decoding needs no clock.
  const amounts = ({ slot, mayBeCents }: Amount) => ({
    ...decodeDistinct(columns.slots[slot]!, rowsOf(slot), isFirst),
    mayBeCents,
  })
  const levels = shape.levels.map(({ list, side, price, size, isComplement }) =>
    sideLevels(lengths[list]!, amounts(price), amounts(size), { isAsk: side === 'ask', isComplement }),
  )
  if (shape.changes !== null) {
    const { list, price, size, side, isYesScale } = shape.changes
    levels.push(
      changeLevels(
        list < 0 ? undefined : lengths[list]!,
        amounts(price),
        amounts(size),
        decodeWords(columns.slots[side]!, rowsOf(side), isFirst),
        isYesScale,
      ),
    )
  }
  const best = hasBest ? shape.best : null
  return {
    kind: effectOf(shape),
    isAside: shape.isAside === true,
    isSigned: shape.changes?.isSigned ?? false,
    levels,
    best:
      best === null
        ? undefined
        : { bids: statedBest(amounts(best.bid), 0), asks: statedBest(amounts(best.ask), MICROS) },
  }
}

// "" or 0 means that there is no bid, "" or 1 that there is no ask. Any other value that is not a price counts as not
// stated.
function statedBest(values: AmountValues, emptyMicros: number): Float64Array {
  const { slot } = values
  const best = toMicros(values)
  for (let i = 0; i < best.length; i++) {
    const price = best[i]!
    if (price === emptyMicros || (slot.form === 'text' && isEmptyText(slot.texts, i))) best[i] = NO_PRICE
    else if (!(price >= 0 && price <= MICROS)) best[i] = Number.NaN
  }
  return best
}

function isEmptyText({ offsets, indexes }: TextTable, row: number): boolean {
  const word = indexes[row]!
  return offsets[word] === offsets[word + 1]
}

function sum(values: Float64Array): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]!
  return total
}

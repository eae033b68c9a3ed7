// The columns of a block that its books need, as plain arrays. Nothing else of the block is read.

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
  /** Its records stand beside what is shown: they are none of the book. */
  isAside: boolean
  isSigned: boolean
  /** A delta's changes, or both sides of a snapshot, one after the other. */
  levels: LevelColumns[]
  /** Venue's own best prices of each change, NO_PRICE for an empty side, NaN where it says nothing. */
  best: { bids: Float64Array; asks: Float64Array } | undefined
}

export type BookColumns = {
  recordCount: number
  timesMs: Float64Array
  /** Index of the shape times two, plus one where the record opens a quote. */
  operations: Uint16Array
  /** Number of the book, 0 for a record of the whole market. */
  books: Uint16Array
  bookIds: string[]
  shapes: ShapeBooks[]
}

/** For who needs less than all: the shapes of the records before `end` alone. */
export type LevelsWanted = { end(records: Pick<BookColumns, 'recordCount' | 'timesMs'>): number }

/** `hasBest`: with the venue's best prices, which change no book that is established or lost. Throws
 *  DataError('block_corrupt'). */
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

/** Nobody looks at them any more. */
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

/** Of its first `rowCount` rows. */
function shapeBooks(columns: ShapeColumns, rowCount: number, hasBest: boolean): ShapeBooks {
  const { shape } = columns
  const isFirst = rowCount < columns.rowCount
  const lengths = columns.listLengths.map((list) => decodeNumbers(list, rowCount, undefined, isFirst))
  const rowsOf = (slot: number): number => {
    const { list } = shape.slots[slot]!
    return list < 0 ? rowCount : sum(lengths[list]!)
  }
  // None of the slots a book needs is stored by its distance from the event time, so none needs the clock.
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

// "" and 0 say that there is no bid, "" and 1 that there is no ask; what is no price stands for nothing said.
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

// Decodes all columns of a block, or their first rows, for readers that need whole records.

import { DataError } from '../../storage/failures.ts'
import { type Block, type ShapeColumns, unpackInts } from '../../storage/format/block.ts'
import { decodeNumbers } from '../../storage/format/columns/number-column.ts'
import type { RowClock } from '../../storage/format/columns/row-clock.ts'
import { decodeSlot, type SlotValues } from '../../storage/format/columns/slot-column.ts'
import { followsTime, type Shape } from '../../storage/format/shape.ts'

export type DecodedShape = {
  shape: Shape
  /** Event time and book number of each row. */
  timesMs: Float64Array
  books: Float64Array
  receivedMs: Float64Array | undefined
  sid: Float64Array | undefined
  seq: Float64Array | undefined
  /** For each list: where the elements of each row begin. Has one more entry than rows. */
  listStarts: Float64Array[]
  slots: SlotValues[]
}

export type DecodedBlock = {
  recordCount: number
  bookIds: string[]
  timesMs: Float64Array
  /** Number of the book; 0 for a record of the whole market. */
  books: Float64Array
  opensQuote: Uint8Array
  /** For each record, the index of its shape and its row within that shape. */
  shapeIndexes: Int32Array
  rows: Int32Array
  shapes: DecodedShape[]
}

/** Records of one block. `records` are their indexes in the block, ascending. */
export type BlockSelection = { block: Block; records: Int32Array }

/** Decodes a block. Throws DataError('block_corrupt'). */
export function decodeWholeBlock(block: Block): DecodedBlock {
  return decodeFirstRecords(block, block.recordCount)
}

/** Decodes the first `count` records, as if the block had no others. Throws DataError('block_corrupt'). */
export function decodeFirstRecords(block: Block, count: number): DecodedBlock {
  try {
    return decode(block, count)
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new DataError('block_corrupt', `Cannot read the records of a stored block: ${(error as Error).message}`)
  }
}

function decode(block: Block, recordCount: number): DecodedBlock {
  const timesMs = unpackInts(block.timesMs, block.recordCount).subarray(0, recordCount)
  const operations = unpackInts(block.operations, block.recordCount)
  const books = unpackInts(block.bookIndexes, block.recordCount).subarray(0, recordCount)
  const shapeIndexes = new Int32Array(recordCount)
  const rows = new Int32Array(recordCount)
  const opensQuote = new Uint8Array(recordCount)
  const clocks = block.shapes.map(({ rowCount }) => ({
    timesMs: new Float64Array(rowCount),
    books: new Float64Array(rowCount),
    opensQuote: new Uint8Array(rowCount),
    count: 0,
  }))
  for (let i = 0; i < recordCount; i++) {
    const operation = operations[i]!
    const clock = clocks[operation >>> 1]
    if (clock === undefined) throw new RangeError('a record has a shape that the block lacks')
    shapeIndexes[i] = operation >>> 1
    rows[i] = clock.count
    opensQuote[i] = operation & 1
    clock.timesMs[clock.count] = timesMs[i]!
    clock.books[clock.count] = books[i]!
    clock.opensQuote[clock.count] = operation & 1
    clock.count++
  }
  const isWhole = recordCount === block.recordCount
  const shapes = block.shapes.map((columns, i) => {
    const clock = clocks[i]!
    return decodeShape(columns, clock, isWhole ? columns.rowCount : clock.count)
  })
  return { recordCount, bookIds: block.books, timesMs, books, opensQuote, shapeIndexes, rows, shapes }
}

type ShapeClock = RowClock & { books: Float64Array }

function decodeShape({ shape, ...columns }: ShapeColumns, clock: ShapeClock, rowCount: number): DecodedShape {
  const isFirst = rowCount < columns.rowCount
  const listStarts = columns.listLengths.map((lengths) => {
    const values = decodeNumbers(lengths, rowCount, undefined, isFirst)
    const starts = new Float64Array(rowCount + 1)
    for (let i = 0; i < rowCount; i++) starts[i + 1] = starts[i]! + values[i]!
    return starts
  })
  return {
    shape,
    timesMs: clock.timesMs.subarray(0, rowCount),
    books: clock.books.subarray(0, rowCount),
    receivedMs: columns.receivedMs === null ? undefined : decodeNumbers(columns.receivedMs, rowCount, clock, isFirst),
    sid: columns.sid === null ? undefined : decodeNumbers(columns.sid, rowCount, undefined, isFirst),
    seq: columns.seq === null ? undefined : decodeNumbers(columns.seq, rowCount, undefined, isFirst),
    listStarts,
    slots: columns.slots.map((column, i) => {
      const { list } = shape.slots[i]!
      const count = list < 0 ? rowCount : listStarts[list]![rowCount]!
      return decodeSlot(column, count, followsTime(shape, i) ? clock : undefined, isFirst)
    }),
  }
}

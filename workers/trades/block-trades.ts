// Decodes the trades of a block as columns. Reads only the columns that trades need.

import { DataError } from '../../storage/failures.ts'
import {
  BLOCK_RECORDS_MAX,
  type Block,
  type ShapeColumns,
  unpackIndexes,
  unpackInts,
} from '../../storage/format/block.ts'
import { decodeWords } from '../../storage/format/columns/slot-column.ts'
import { takerSide } from '../../storage/format/shape.ts'
import { tradeAmounts } from '../book/trade-amounts.ts'
import { idAt, idsOf, type TradeIds } from './trade-ids.ts'

/** Values in the columns of sides. */
export const [NO_SIDE, BUY, SELL] = [0, 1, 2]
/** Names of the sides, from BUY on. */
export const SIDES = ['buy', 'sell'] as const

/** Selects trades of a block. `book` is a book number, or null for all trades, including trades without a book.
 *  Records are [firstRecord, endRecord), counted from the block's first record. Times are `fromMs` to `toMs`,
 *  inclusive. */
export type TradesWanted = { book: number | null; firstRecord: number; endRecord: number; fromMs: number; toMs: number }

export const ALL_TRADES: TradesWanted = {
  book: null,
  firstRecord: 0,
  endRecord: Number.POSITIVE_INFINITY,
  fromMs: Number.NEGATIVE_INFINITY,
  toMs: Number.POSITIVE_INFINITY,
}

/** The trades of a block, in stored order. The first `count` values of each column are valid. Prices are in 1e-6
 *  dollars, sizes in 1e-6 contracts. */
export type BlockTrades = {
  count: number
  timesMs: Float64Array
  /** Number of the book; 0 for a trade without a book. */
  books: Uint16Array
  prices: Float64Array
  sizes: Float64Array
  sides: Uint8Array
  /** Index of each trade's record in the block. */
  records: Int32Array
  /** Shape of each trade's record, and the record's row among the records of that shape. */
  shapes: Uint16Array
  rows: Int32Array
}

/** The price in 1e-6 dollars, the size in 1e-6 contracts. */
export type Trade = { price: number; size: number; side: (typeof SIDES)[number] | null; id: string | null }

/** Returns the selected trades with a readable price and size. Throws DataError('block_corrupt'). */
export const tradesIn = (block: Block, wanted: TradesWanted = ALL_TRADES): BlockTrades =>
  reading(() => collect(block, wanted))

/** Returns the venue's ids of the trades. Throws DataError('block_corrupt'). */
export const tradeIds = (block: Block, trades: BlockTrades): TradeIds => reading(() => idsOf(block, trades))

/** Returns the trade in a row of a shape; the shape must be a trade. Throws DataError('block_corrupt'). */
export const tradeAt = (block: Block, shape: number, row: number): Trade =>
  reading(() => {
    const columns = block.shapes[shape]!
    const { prices, sizes, sides } = shapeTrades(columns)!
    return { price: prices[row]!, size: sizes[row]!, side: SIDES[sides[row]! - 1] ?? null, id: idAt(columns, row) }
  })

function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new DataError('block_corrupt', `Cannot read the trades of a stored block: ${(error as Error).message}`)
  }
}

function collect(block: Block, { book, firstRecord, endRecord, fromMs, toMs }: TradesWanted): BlockTrades {
  const { recordCount } = block
  const columns = block.shapes.map(shapeTrades)
  const isTrade = Uint8Array.from(columns, (column) => (column === undefined ? 0 : 1))
  const trades = room(columns.reduce((sum, column) => sum + (column?.sizes.length ?? 0), 0))
  if (trades.sizes.length === 0) return trades
  const { operations, books, timesMs } = recordsOf(block)
  const nextRows = new Int32Array(columns.length)
  const end = Math.min(endRecord, recordCount)
  let count = 0
  for (let record = 0; record < end; record++) {
    const shape = operations[record]! >>> 1
    if (isTrade[shape] !== 1) continue
    const row = nextRows[shape]!++
    const timeMs = timesMs[record]!
    const { prices, sizes, sides } = columns[shape]!
    if (record < firstRecord || timeMs < fromMs || timeMs > toMs || !(sizes[row]! >= 0)) continue
    if (book !== null && books[record] !== book) continue
    trades.timesMs[count] = timeMs
    trades.books[count] = books[record]!
    trades.prices[count] = prices[row]!
    trades.sizes[count] = sizes[row]!
    trades.sides[count] = sides[row]!
    trades.records[count] = record
    trades.shapes[count] = shape
    trades.rows[count++] = row
  }
  trades.count = count
  return trades
}

/** Buffers that all blocks share: one answer would otherwise allocate and drop hundreds of arrays. */
const shared = {
  operations: new Uint16Array(BLOCK_RECORDS_MAX),
  books: new Uint16Array(BLOCK_RECORDS_MAX),
  timesMs: new Float64Array(BLOCK_RECORDS_MAX),
}

/** Decodes the records of a block; the result is valid until the next call. */
function recordsOf({ recordCount, operations, bookIndexes, timesMs }: Block) {
  const into = recordCount > BLOCK_RECORDS_MAX ? undefined : shared
  return {
    operations: unpackIndexes(operations, recordCount, into?.operations.subarray(0, recordCount)),
    books: unpackIndexes(bookIndexes, recordCount, into?.books.subarray(0, recordCount)),
    timesMs: unpackInts(timesMs, recordCount, into?.timesMs.subarray(0, recordCount)),
  }
}

const room = (count: number): BlockTrades => ({
  count: 0,
  timesMs: new Float64Array(count),
  books: new Uint16Array(count),
  prices: new Float64Array(count),
  sizes: new Float64Array(count),
  sides: new Uint8Array(count),
  records: new Int32Array(count),
  shapes: new Uint16Array(count),
  rows: new Int32Array(count),
})

type ShapeTrades = { prices: Float64Array; sizes: Float64Array; sides: Uint8Array }

function shapeTrades(columns: ShapeColumns): ShapeTrades | undefined {
  const amounts = tradeAmounts(columns)
  return amounts && { ...amounts, sides: sidesOf(columns) }
}

function sidesOf({ shape: { trade }, slots, rowCount }: ShapeColumns): Uint8Array {
  const sides = new Uint8Array(rowCount)
  if (trade === null || trade.side < 0) return sides
  const { words, indexes } = decodeWords(slots[trade.side]!, rowCount)
  const ofWords = words.map((word) => {
    const side = takerSide(trade.sideMeaning, word)
    return side === null ? NO_SIDE : side === 'buy' ? BUY : SELL
  })
  for (let row = 0; row < rowCount; row++) sides[row] = ofWords[indexes[row]!] ?? NO_SIDE
  return sides
}

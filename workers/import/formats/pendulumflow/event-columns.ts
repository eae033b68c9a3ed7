// The columns of pendulumflow v3: 25 in early files, 28 in later files. Columns that are not read may be absent.

import type { ParquetFile } from '../../parquet/parquet-file.ts'
import type { ListColumn, RowGroup, RowRange, WordColumn } from '../../parquet/row-group.ts'
import { Words } from '../../parquet/words.ts'
import type { RowScales } from '../../rows/row-values.ts'
import type { EventColumns } from '../../rows/row-writer.ts'

export type PendulumflowColumns = EventColumns & {
  /** `received` has the receipt times, in units of the file. Rows are ordered by receipt time. `venueMs` has the venue
   *  times, in ms. */
  received: Float64Array
  venueMs: Float64Array
  sequences: BigUint64Array
  recorders: WordColumn
  bidPrices: ListColumn
  bidSizes: ListColumn
  askPrices: ListColumn
  askSizes: ListColumn
}

const PLACE = ['timestamp_received', 'timestamp', 'sequence', 'asset_id', 'source_witness']
const TRADED = ['price', 'size', 'side']
/** Column names of each type of event, in the order of `BOOK_EVENTS`. */
const NAMES: readonly (readonly string[])[] = [
  ['bids', 'asks'],
  [...TRADED, 'best_bid', 'best_ask'],
  [],
  [...TRADED, 'fee_rate_bps', 'transaction_hash'],
  ['old_tick_size', 'new_tick_size'],
].map((names) => [...PLACE, ...names])
const OPTIONAL = new Set(['best_bid', 'best_ask', 'fee_rate_bps', 'transaction_hash'])
const PRICES = ['price', 'best_bid', 'best_ask', 'old_tick_size', 'new_tick_size']

const NO_NUMBERS = new Float64Array(0)
const NO_WORDS: WordColumn = { places: new Int32Array(0), words: new Words() }
const NO_LISTS: ListColumn = { starts: new Uint32Array(0), values: NO_NUMBERS }

/** Returns the scales of prices and sizes. Throws ArchiveFault if a column is missing, or if two columns of prices or
 *  of sizes have different scales. */
export function checkColumns(parquet: ParquetFile): RowScales {
  parquet.needOneOf(['market', 'event_type', ...new Set(NAMES.flat())])
  for (const name of ['timestamp_received', 'timestamp']) parquet.column(name, 'timestamp')
  for (const name of ['market', 'asset_id', 'event_type', 'side', 'source_witness']) parquet.column(name, 'text')
  parquet.column('sequence', 'whole')
  const { scale: price } = parquet.column('price', 'decimal')
  const { scale: size } = parquet.column('size', 'decimal')
  for (const name of PRICES.filter((of) => !OPTIONAL.has(of) || parquet.columns.has(of))) {
    if (parquet.column(name, 'decimal').scale !== price) throw parquet.fault(`has ${name} in other units than price`)
  }
  for (const name of ['bids', 'asks']) {
    const isSame =
      parquet.field(name, 'price', 'decimal').scale === price && parquet.field(name, 'size', 'decimal').scale === size
    if (!isSame) throw parquet.fault(`has levels of ${name} in other units than price and size`)
  }
  return { price, size }
}

export const namesOf = (parquet: ParquetFile, type: number): string[] =>
  NAMES[type]!.filter((name) => !OPTIONAL.has(name) || parquet.columns.has(name))

/** Returns the columns of a window. Columns that the event type lacks are empty. */
export function columnsOf(parquet: ParquetFile, type: number, of: RowGroup, range: RowRange): PendulumflowColumns {
  const names = new Set(namesOf(parquet, type))
  const numbers = (name: string) => (names.has(name) ? of.numbers(name, range) : NO_NUMBERS)
  const words = (name: string) => (names.has(name) ? of.words(name, range) : NO_WORDS)
  const lists = (name: string, field: string) => (names.has(name) ? of.lists(name, field, range) : NO_LISTS)
  const venueMs = numbers('timestamp')
  const { unitsInMs } = parquet.column('timestamp', 'timestamp')
  if (unitsInMs > 1) for (let i = 0; i < venueMs.length; i++) venueMs[i] = Math.floor(venueMs[i]! / unitsInMs)
  return {
    received: numbers('timestamp_received'),
    venueMs,
    sequences: of.wholes('sequence', range),
    tokens: words('asset_id'),
    recorders: words('source_witness'),
    bidPrices: lists('bids', 'price'),
    bidSizes: lists('bids', 'size'),
    askPrices: lists('asks', 'price'),
    askSizes: lists('asks', 'size'),
    prices: numbers('price'),
    sizes: numbers('size'),
    sides: words('side'),
    bestBids: numbers('best_bid'),
    bestAsks: numbers('best_ask'),
    fees: numbers('fee_rate_bps'),
    transactions: words('transaction_hash'),
    oldTicks: numbers('old_tick_size'),
    newTicks: numbers('new_tick_size'),
  }
}

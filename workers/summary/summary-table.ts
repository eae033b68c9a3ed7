// The buckets of a summary as a table: those of the planned runs, observed or carried.

import { NO_PRICE } from '../book/order-book.ts'
import { PRICE_PLACES } from '../table/print-price.ts'
import { type Column, NULL, type Table, type TableChunk } from '../table/table.ts'
import { BUCKET_FIELDS, type BucketColumns, CANDLE_FIELDS, NO_VALUE } from './bucket-columns.ts'
import type { BucketGrid } from './bucket-grid.ts'
import type { BucketRun } from './plan-summary.ts'

export type Buckets = {
  columns: BucketColumns
  runs: BucketRun[]
  grid: BucketGrid
  /** Whether buckets without a quote are left out. */
  isObservedOnly: boolean
}

const PRICE = { places: PRICE_PLACES }
const SIZE = { places: 6 }
const CANDLES = ['best_bid', 'best_ask', 'mid_price', 'spread']
const PARTS = ['open', 'high', 'low', 'close']

export const SUMMARY_COLUMNS: readonly Column[] = [
  { name: 'quote_count', type: 'whole', isNullable: false },
  { name: 'is_forward_filled', type: 'flag', isNullable: false },
  { name: 'best_bid', type: PRICE, isNullable: true },
  { name: 'best_bid_size', type: SIZE, isNullable: false },
  { name: 'best_ask', type: PRICE, isNullable: true },
  { name: 'best_ask_size', type: SIZE, isNullable: false },
  { name: 'mid_price', type: PRICE, isNullable: true },
  { name: 'spread', type: PRICE, isNullable: true },
  ...CANDLES.flatMap((candle) =>
    PARTS.map((part): Column => {
      const group = { name: `${candle}_ohlc`, key: part }
      return { name: `${candle}_${part}`, group, type: PRICE, isNullable: true }
    }),
  ),
]
const WIDTH = SUMMARY_COLUMNS.length

const CHUNK_ROWS = 1_024
/** Of a micro-dollar, and of half of one, in units of a price. */
const [MICRO, HALF_MICRO] = [10, 5]

export function summaryTable(buckets: Buckets, about: Pick<Table, 'constants' | 'timestampUnit'>): Table {
  return { ...about, columns: SUMMARY_COLUMNS, chunks: chunksOf(buckets) }
}

/** Buckets that the table will have: known before the first chunk is made. */
export function bucketCount({ columns, runs, isObservedOnly }: Buckets): number {
  if (!isObservedOnly) return runs.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  let count = 0
  for (let i = 0; i < columns.count; i++) if (columns.quoteCounts[i]! > 0) count++
  return count
}

function* chunksOf({ columns, runs, grid, isObservedOnly }: Buckets): Generator<TableChunk> {
  const chunk = new ChunkBuilder(columns, grid)
  let index = 0 // the latest entry of the columns at or before the bucket
  for (const { first, last } of runs) {
    for (let number = first; number <= last; number++) {
      while (index + 1 < columns.count && columns.numbers[index + 1]! <= number) index++
      const isObserved = columns.numbers[index] === number && columns.quoteCounts[index]! > 0
      if (!isObserved && isObservedOnly) continue
      chunk.add(number, index, isObserved)
      if (chunk.rowCount < CHUNK_ROWS) continue
      yield chunk
      chunk.clear()
    }
  }
  if (chunk.rowCount > 0) yield chunk
}

class ChunkBuilder implements TableChunk {
  rowCount = 0
  readonly timestampsMs = new Float64Array(CHUNK_ROWS)
  readonly entries = new Int32Array(CHUNK_ROWS)
  readonly values = new Float64Array(WIDTH * CHUNK_ROWS)
  readonly #columns: BucketColumns
  readonly #grid: BucketGrid
  #entryCount = 0
  /** The index whose state the last entry carries on. */
  #carriedIndex = -1

  constructor(columns: BucketColumns, grid: BucketGrid) {
    this.#columns = columns
    this.#grid = grid
  }

  clear(): void {
    this.rowCount = 0
    this.#entryCount = 0
    this.#carriedIndex = -1
  }

  add(number: number, index: number, isObserved: boolean): void {
    if (isObserved || index !== this.#carriedIndex) this.#addEntry(index, isObserved)
    this.#carriedIndex = isObserved ? -1 : index
    this.timestampsMs[this.rowCount] = this.#grid.startMs(number)
    this.entries[this.rowCount++] = this.#entryCount - 1
  }

  #addEntry(index: number, isObserved: boolean): void {
    const { values } = this
    const { quoteCounts, bids, bidSizes, asks, askSizes, candles } = this.#columns
    const hasBid = bids[index] !== NO_PRICE
    const hasAsk = asks[index] !== NO_PRICE
    const bid = hasBid ? MICRO * bids[index]! : NULL
    const ask = hasAsk ? MICRO * asks[index]! : NULL
    const mid = hasBid && hasAsk ? (bid + ask) / 2 : NULL
    const spread = hasBid && hasAsk ? ask - bid : NULL
    let at = WIDTH * this.#entryCount++
    values[at++] = isObserved ? quoteCounts[index]! : 0
    values[at++] = isObserved ? 0 : 1
    values[at++] = bid
    values[at++] = bidSizes[index]!
    values[at++] = ask
    values[at++] = askSizes[index]!
    values[at++] = mid
    values[at++] = spread
    // A carried bucket opens and closes where it stands.
    if (!isObserved) {
      for (let end = at + CANDLE_FIELDS; at < end; at++) {
        values[at] = bid
        values[at + CANDLE_FIELDS] = ask
        values[at + 2 * CANDLE_FIELDS] = mid
        values[at + 3 * CANDLE_FIELDS] = spread
      }
      return
    }
    for (let field = 0, from = BUCKET_FIELDS * index; field < BUCKET_FIELDS; field++) {
      const value = candles[from + field]!
      // A midpoint is held as the sum of both prices.
      values[at + field] = value === NO_VALUE ? NULL : value * (field >> 2 === 2 ? HALF_MICRO : MICRO)
    }
  }
}

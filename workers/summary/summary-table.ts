// Makes a table of the buckets in the planned runs of a summary. A bucket with a quote is observed; a bucket without a
// quote is carried.

import { NO_PRICE } from '../book/order-book.ts'
import { PRICE_PLACES, PRICE_UNITS } from '../table/print-price.ts'
import { type Column, NULL, type Table, type TableChunk } from '../table/table.ts'
import { TRUSTS, type TrustRank } from '../trust/trust-steps.ts'
import {
  ALL_CANDLES,
  BUCKET_FIELDS,
  type BucketColumns,
  CANDLE_FIELDS,
  type Candle,
  NO_VALUE,
} from './bucket-columns.ts'
import type { BucketGrid } from './bucket-grid.ts'
import type { TrustedRun } from './trusted-runs.ts'

export type Buckets = {
  columns: BucketColumns
  runs: TrustedRun[]
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
  { name: 'trust', type: { names: TRUSTS }, isNullable: false },
]
const WIDTH = SUMMARY_COLUMNS.length

/** Returns the candles that have a column in `names`; all candles if `names` is absent. */
export const candlesOf = (names?: readonly string[]): readonly Candle[] =>
  ALL_CANDLES.filter((_, i) => names === undefined || PARTS.some((part) => names.includes(`${CANDLES[i]}_${part}`)))

const CHUNK_ROWS = 1_024
/** Gap between two columns: at a distance of whole pages they would evict each other from the processor's cache. */
const SPARE_ROWS = 8
/** A stored mid price is the sum of the best bid and the best ask. */
const MID_UNITS = PRICE_UNITS / 2

export function summaryTable(buckets: Buckets, about: Pick<Table, 'constants' | 'timestampUnit'>): Table {
  return { ...about, columns: SUMMARY_COLUMNS, chunks: chunksOf(buckets) }
}

/** Returns the number of buckets in the table, before the first chunk is made. */
export function bucketCount({ columns, runs, isObservedOnly }: Buckets): number {
  if (!isObservedOnly) return rowsOf(runs)
  const { numbers, quoteCounts } = columns
  let [count, index] = [0, 0]
  for (const { first, last } of runs) {
    while (index < columns.count && numbers[index]! < first) index++
    for (; index < columns.count && numbers[index]! <= last; index++) if (quoteCounts[index]! > 0) count++
  }
  return count
}

const rowsOf = (runs: TrustedRun[]): number => runs.reduce((sum, { first, last }) => sum + last - first + 1, 0)

function* chunksOf(buckets: Buckets): Generator<TableChunk> {
  const chunk = new ChunkBuilder(buckets, Math.min(rowsOf(buckets.runs), CHUNK_ROWS))
  for (const { first, last, trust } of buckets.runs) {
    for (let number = first; number <= last; ) {
      number = chunk.add(number, last, trust)
      if (chunk.rowCount < CHUNK_ROWS) continue
      yield chunk
      chunk.clear()
    }
  }
  if (chunk.rowCount > 0) yield chunk
}

/** Indexes of the columns, in the order of the table. In a carried bucket, a candle opens and closes at the value of
 *  the same name in the state of the book: bid, ask, mid or spread. */
const [QUOTE_COUNT, IS_CARRIED, BID, BID_SIZE, ASK, ASK_SIZE, MID, SPREAD, FIRST_CANDLE] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const STATES = [BID, ASK, MID, SPREAD]
const TRUST = WIDTH - 1

class ChunkBuilder implements TableChunk {
  rowCount = 0
  entryCount = 0
  readonly timestampsMs: Float64Array
  readonly entries: Int32Array
  /** These three arrays are indexed by entry. They have, in this order: the index of the bucket in the columns, whether
   *  the bucket has a quote, and the bucket's trust. */
  readonly #indexes: Int32Array
  readonly #observed: Uint8Array
  readonly #trusts: Uint8Array
  readonly #values: Float64Array[]
  /** For each column, whether its values are computed for this chunk. */
  readonly #isMade = new Uint8Array(WIDTH)
  readonly #rowsMax: number
  readonly #columns: BucketColumns
  readonly #grid: BucketGrid
  readonly #isObservedOnly: boolean
  /** Index, in the columns, of the last bucket at or before the last added bucket. */
  #index = 0

  /** At most `rowsMax` rows are added between calls of `clear`. */
  constructor({ columns, grid, isObservedOnly }: Buckets, rowsMax: number) {
    this.#columns = columns
    this.#grid = grid
    this.#isObservedOnly = isObservedOnly
    this.#rowsMax = rowsMax
    this.timestampsMs = new Float64Array(rowsMax)
    this.entries = new Int32Array(rowsMax)
    this.#indexes = new Int32Array(rowsMax)
    this.#observed = new Uint8Array(rowsMax)
    this.#trusts = new Uint8Array(rowsMax)
    const stride = rowsMax + SPARE_ROWS
    const all = new Float64Array(WIDTH * stride)
    this.#values = SUMMARY_COLUMNS.map((_, i) => all.subarray(stride * i, stride * i + rowsMax))
  }

  clear(): void {
    this.rowCount = 0
    this.entryCount = 0
    this.#isMade.fill(0)
  }

  /** Adds buckets up to `last` while there is room. Returns the number of the first bucket that was not added. */
  add(first: number, last: number, trust: TrustRank): number {
    const { timestampsMs, entries } = this
    const [indexes, observed, trusts, grid, rowsMax, isObservedOnly] = [
      this.#indexes,
      this.#observed,
      this.#trusts,
      this.#grid,
      this.#rowsMax,
      this.#isObservedOnly,
    ]
    const { numbers, quoteCounts, count } = this.#columns
    let { rowCount, entryCount } = this
    let index = this.#index
    let number = first
    for (; number <= last && rowCount < rowsMax; number++) {
      while (index + 1 < count && numbers[index + 1]! <= number) index++
      const isObserved = numbers[index] === number && quoteCounts[index]! > 0
      if (!isObserved && isObservedOnly) continue
      // A carried bucket shares the entry of the bucket before it, if both have the same values.
      const isSameEntry =
        !isObserved &&
        entryCount > 0 &&
        observed[entryCount - 1] === 0 &&
        indexes[entryCount - 1] === index &&
        trusts[entryCount - 1] === trust
      if (!isSameEntry) {
        trusts[entryCount] = trust
        observed[entryCount] = isObserved ? 1 : 0
        indexes[entryCount++] = index
      }
      timestampsMs[rowCount] = grid.startMs(number)
      entries[rowCount++] = entryCount - 1
    }
    this.rowCount = rowCount
    this.entryCount = entryCount
    this.#index = index
    return number
  }

  values(column: number): Float64Array {
    if (this.#isMade[column] === 0) this.#make(column)
    return this.#values[column]!
  }

  texts(): never {
    throw new Error('a summary has no column of texts')
  }

  #make(column: number): void {
    const { quoteCounts, bids, bidSizes, asks, askSizes } = this.#columns
    if (column >= FIRST_CANDLE && column < TRUST) return this.#makeCandle((column - FIRST_CANDLE) >> 2)
    this.#isMade[column] = 1
    const target = this.#values[column]!
    if (column === QUOTE_COUNT) this.#makeCounts(target, quoteCounts)
    else if (column === TRUST) for (let i = 0; i < this.entryCount; i++) target[i] = this.#trusts[i]!
    else if (column === IS_CARRIED) for (let i = 0; i < this.entryCount; i++) target[i] = 1 - this.#observed[i]!
    else if (column === BID) this.#makePrices(target, bids)
    else if (column === ASK) this.#makePrices(target, asks)
    else if (column === BID_SIZE) this.#makeSizes(target, bidSizes)
    else if (column === ASK_SIZE) this.#makeSizes(target, askSizes)
    else this.#makeBetween(target, column === MID)
  }

  #makeCounts(target: Float64Array, counts: Uint32Array): void {
    const [indexes, observed, entryCount] = [this.#indexes, this.#observed, this.entryCount]
    for (let i = 0; i < entryCount; i++) target[i] = observed[i]! * counts[indexes[i]!]!
  }

  #makePrices(target: Float64Array, prices: Int32Array): void {
    const [indexes, entryCount] = [this.#indexes, this.entryCount]
    for (let i = 0; i < entryCount; i++) {
      const price = prices[indexes[i]!]!
      target[i] = price === NO_PRICE ? NULL : PRICE_UNITS * price
    }
  }

  #makeSizes(target: Float64Array, sizes: Float64Array): void {
    const [indexes, entryCount] = [this.#indexes, this.entryCount]
    for (let i = 0; i < entryCount; i++) target[i] = sizes[indexes[i]!]!
  }

  /** Computes the mid price if `isMid`, else the spread. */
  #makeBetween(target: Float64Array, isMid: boolean): void {
    const [bids, asks, entryCount] = [this.values(BID), this.values(ASK), this.entryCount]
    for (let i = 0; i < entryCount; i++) {
      const bid = bids[i]!
      const ask = asks[i]!
      target[i] = bid === NULL || ask === NULL ? NULL : isMid ? (bid + ask) / 2 : ask - bid
    }
  }

  /** Computes the four columns of a candle. */
  #makeCandle(candle: number): void {
    const [indexes, observed, entryCount] = [this.#indexes, this.#observed, this.entryCount]
    const { candles } = this.#columns
    const unit = STATES[candle] === MID ? MID_UNITS : PRICE_UNITS
    const state = this.values(STATES[candle]!)
    const first = FIRST_CANDLE + CANDLE_FIELDS * candle
    this.#isMade.fill(1, first, first + CANDLE_FIELDS)
    const targets = this.#values
    const [open, high, low, close] = [targets[first]!, targets[first + 1]!, targets[first + 2]!, targets[first + 3]!]
    for (let i = 0; i < entryCount; i++) {
      // A carried bucket opens and closes at its state.
      if (observed[i] === 0) {
        open[i] = high[i] = low[i] = close[i] = state[i]!
        continue
      }
      const from = BUCKET_FIELDS * indexes[i]! + CANDLE_FIELDS * candle
      const value = candles[from]!
      // A candle has all four values or none.
      if (value === NO_VALUE) open[i] = high[i] = low[i] = close[i] = NULL
      else {
        open[i] = unit * value
        high[i] = unit * candles[from + 1]!
        low[i] = unit * candles[from + 2]!
        close[i] = unit * candles[from + 3]!
      }
    }
  }
}

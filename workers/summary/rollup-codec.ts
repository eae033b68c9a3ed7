// Encodes and decodes the rows of a rollup (the seconds or minutes of one book).
//
// Most of a row follows from the rest: a candle opens near the close before it and closes at the top of the book; mid
// and spread open and close with bid and ask. Each column stores the difference from that prediction, mostly 0. High
// and low are stored as the distance beyond open and close.

import { Packr } from 'msgpackr'
import { DataError } from '../../storage/failures.ts'
import { checkedBody, withChecksum } from '../../storage/format/block.ts'
import { decodeInts } from '../../storage/format/columns/int-column.ts'
import { unpack } from '../../storage/format/columns/packed.ts'
import { packInts } from '../../storage/format/columns/packed-ints.ts'
import { NO_PRICE } from '../book/order-book.ts'
import {
  ALL_CANDLES,
  ASK,
  BID,
  BUCKET_FIELDS,
  BucketColumns,
  CANDLE_FIELDS,
  type Candle,
  MID,
  NO_VALUE,
  SPREAD,
} from './bucket-columns.ts'

const ROLLUP_VERSION = 1
const packr = new Packr({ useRecords: false, variableMapSize: true })

/** Encodes rows. Each must have a bucket number: the row for the state before the first bucket is not allowed. */
export function encodeRollup(rows: BucketColumns): Uint8Array {
  const { count } = rows
  const columns = [rows.numbers, rows.quoteCounts, rows.bids, rows.asks, rows.bidSizes, rows.askSizes].map((column) =>
    packInts(Float64Array.from(column.subarray(0, count)), count),
  )
  columns.push(packInts(presence(rows), count))
  for (const candle of ALL_CANDLES) columns.push(...encodeCandle(rows, candle))
  return withChecksum(packr.pack([ROLLUP_VERSION, count, columns]))
}

type Wanted = {
  /** Returns columns without buckets. */
  columnsOf?: (expected: number) => BucketColumns
  /** The candles to decode; the fields of others are undefined. */
  candles?: readonly Candle[]
}

/** Decodes rows, by default into new columns and with all candles. Throws DataError('block_corrupt'). */
export function decodeRollup(
  bytes: Uint8Array,
  { columnsOf = (expected) => new BucketColumns(expected), candles = ALL_CANDLES }: Wanted = {},
): BucketColumns {
  const body = checkedBody(bytes)
  try {
    const [version, count, columns] = packr.unpack(body) as [number, number, Uint8Array[]]
    if (version !== ROLLUP_VERSION) throw new RangeError(`it has version ${version}, must have ${ROLLUP_VERSION}`)
    return decodeRows(columnsOf(count), count, columns, candles)
  } catch (error) {
    throw new DataError('block_corrupt', `Cannot read a stored rollup: ${(error as Error).message}`)
  }
}

const FIRST_CANDLE_COLUMN = 7

function decodeRows(
  rows: BucketColumns,
  count: number,
  columns: Uint8Array[],
  candles: readonly Candle[],
): BucketColumns {
  const column = (index: number, length: number) => decodeInts(unpack(columns[index]!), length)
  rows.count = count
  rows.numbers.set(column(0, count))
  rows.quoteCounts.set(column(1, count))
  rows.bids.set(column(2, count))
  rows.asks.set(column(3, count))
  rows.bidSizes.set(column(4, count))
  rows.askSizes.set(column(5, count))
  if (candles.length === 0) return rows
  const present = column(6, count)
  const hasBetween = candles.includes(MID) || candles.includes(SPREAD)
  for (const candle of ALL_CANDLES) {
    const isWanted = candles.includes(candle)
    // Mid and spread open and close with bid and ask, so decoding them needs the open and close of both.
    const isNeeded = isWanted || (hasBetween && (candle === BID || candle === ASK))
    const first = FIRST_CANDLE_COLUMN + candle
    const take = (field: number, filled: number) => column(first + field, filled)
    if (isNeeded) decodeCandle(rows, { candle, hasRange: isWanted }, present, take)
  }
  return rows
}

/** Bit of a candle in `presence`: bit 0 bid, bit 1 ask, bit 2 mid and spread. */
const bitOf = (candle: Candle): number => (candle === BID ? 1 : candle === ASK ? 2 : 4)

function presence({ candles, count }: BucketColumns): Float64Array {
  const present = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const at = BUCKET_FIELDS * i
    for (const candle of [BID, ASK, MID] as const) {
      if (candles[at + candle] !== NO_VALUE) present[i] = present[i]! + bitOf(candle)
    }
  }
  return present
}

/** Predicts the open and close of a candle. Its methods are called for every row of an answer. */
class Prediction {
  readonly #candles: Int32Array
  /** Best prices of one side. A bid or ask candle closes at the best price of its side. */
  readonly #tops: Int32Array
  /** Sign of the bid in the sum: 1 for mid (ask plus bid), -1 for spread (ask minus bid). 0 for a bid or ask candle. */
  readonly #sign: number
  #closeBefore = 0

  constructor({ candles, bids, asks }: BucketColumns, candle: Candle) {
    this.#candles = candles
    this.#tops = candle === BID ? bids : asks
    this.#sign = candle === MID ? 1 : candle === SPREAD ? -1 : 0
  }

  open(row: number): number {
    return this.#sign === 0 ? this.#closeBefore : this.#ofSides(BUCKET_FIELDS * row)
  }

  close(row: number, open: number): number {
    if (this.#sign !== 0) return this.#ofSides(BUCKET_FIELDS * row + 3)
    const top = this.#tops[row]!
    return top === NO_PRICE ? open : top
  }

  /** Notes the close for the next prediction. Must be called after each row that has the candle. */
  passed(close: number): void {
    this.#closeBefore = close
  }

  #ofSides(at: number): number {
    return this.#candles[at + ASK]! + this.#sign * this.#candles[at + BID]!
  }
}

function encodeCandle(rows: BucketColumns, candle: Candle): Uint8Array[] {
  const { candles, count } = rows
  const fields = Array.from({ length: CANDLE_FIELDS }, () => new Float64Array(count))
  const [opens, highs, lows, closes] = fields as [Float64Array, Float64Array, Float64Array, Float64Array]
  const prediction = new Prediction(rows, candle)
  let filled = 0
  for (let row = 0; row < count; row++) {
    const at = BUCKET_FIELDS * row + candle
    const open = candles[at]!
    if (open === NO_VALUE) continue
    const close = candles[at + 3]!
    opens[filled] = open - prediction.open(row)
    highs[filled] = candles[at + 1]! - Math.max(open, close)
    lows[filled] = Math.min(open, close) - candles[at + 2]!
    closes[filled] = close - prediction.close(row, open)
    prediction.passed(close)
    filled++
  }
  return fields.map((field) => packInts(field, filled))
}

/** Decodes a candle; without `hasRange` its high and low are undefined. */
function decodeCandle(
  rows: BucketColumns,
  { candle, hasRange }: { candle: Candle; hasRange: boolean },
  present: Float64Array,
  take: (field: number, length: number) => Float64Array,
): void {
  const { candles, count } = rows
  const bit = bitOf(candle)
  let filled = 0
  for (let row = 0; row < count; row++) if ((present[row]! & bit) !== 0) filled++
  const [opens, closes] = [take(0, filled), take(3, filled)]
  const [highs, lows] = hasRange ? [take(1, filled), take(2, filled)] : [closes, closes]
  const prediction = new Prediction(rows, candle)
  filled = 0
  for (let row = 0; row < count; row++) {
    const at = BUCKET_FIELDS * row + candle
    if ((present[row]! & bit) === 0) {
      candles[at] = candles[at + 1] = candles[at + 2] = candles[at + 3] = NO_VALUE
      continue
    }
    const open = opens[filled]! + prediction.open(row)
    const close = closes[filled]! + prediction.close(row, open)
    candles[at] = open
    candles[at + 1] = highs[filled]! + Math.max(open, close)
    candles[at + 2] = Math.min(open, close) - lows[filled]!
    candles[at + 3] = close
    prediction.passed(close)
    filled++
  }
}

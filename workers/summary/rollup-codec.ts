// Rows of a rollup (the seconds or minutes of one book) as bytes and back.
//
// Most of a row follows from the rest: a candle opens near the close before it, closes at the top of the book, and its
// middle and spread open and close with its bid and ask. Each column keeps the distance from that, which is mostly
// nothing; high and low are kept as the distance beyond open and close.

import { Packr } from 'msgpackr'
import { DataError } from '../../storage/failures.ts'
import { checkedBody, withChecksum } from '../../storage/format/block.ts'
import { decodeInts } from '../../storage/format/columns/int-column.ts'
import { unpack } from '../../storage/format/columns/packed.ts'
import { packInts } from '../../storage/format/columns/packed-ints.ts'
import { NO_PRICE } from '../book/order-book.ts'
import { BUCKET_FIELDS, BucketColumns, CANDLE_FIELDS, NO_VALUE } from './bucket-columns.ts'

const ROLLUP_VERSION = 1
const [BID, ASK, MID, SPREAD] = [0, CANDLE_FIELDS, 2 * CANDLE_FIELDS, 3 * CANDLE_FIELDS] as const
const CANDLES = [BID, ASK, MID, SPREAD] as const
type Candle = (typeof CANDLES)[number]
const packr = new Packr({ useRecords: false, variableMapSize: true })

/** Rows must have a number each: none stands for what was before them. */
export function encodeRollup(rows: BucketColumns): Uint8Array {
  const { count } = rows
  const columns = [rows.numbers, rows.quoteCounts, rows.bids, rows.asks, rows.bidSizes, rows.askSizes].map((column) =>
    packInts(Float64Array.from(column.subarray(0, count)), count),
  )
  columns.push(packInts(presence(rows), count))
  for (const candle of CANDLES) columns.push(...encodeCandle(rows, candle))
  return withChecksum(packr.pack([ROLLUP_VERSION, count, columns]))
}

type ColumnsOf = (expected: number) => BucketColumns

/** Into columns without a bucket, new ones unless given. Throws DataError('block_corrupt'). */
export function decodeRollup(
  bytes: Uint8Array,
  columnsOf: ColumnsOf = (expected) => new BucketColumns(expected),
): BucketColumns {
  const body = checkedBody(bytes)
  try {
    const [version, count, columns] = packr.unpack(body) as [number, number, Uint8Array[]]
    if (version !== ROLLUP_VERSION) throw new RangeError(`it has version ${version}, must have ${ROLLUP_VERSION}`)
    return decodeRows(columnsOf(count), count, columns)
  } catch (error) {
    throw new DataError('block_corrupt', `Cannot read a stored rollup: ${(error as Error).message}`)
  }
}

function decodeRows(rows: BucketColumns, count: number, columns: Uint8Array[]): BucketColumns {
  let next = 0
  const take = (length: number) => decodeInts(unpack(columns[next++]!), length)
  rows.count = count
  rows.numbers.set(take(count))
  rows.quoteCounts.set(take(count))
  rows.bids.set(take(count))
  rows.asks.set(take(count))
  rows.bidSizes.set(take(count))
  rows.askSizes.set(take(count))
  rows.candles.fill(NO_VALUE, 0, BUCKET_FIELDS * count)
  const present = take(count)
  for (const candle of CANDLES) decodeCandle(rows, candle, present, take)
  return rows
}

/** Which candles of each row have values: bit 0 bid, bit 1 ask, bit 2 middle and spread. */
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

/** What a candle's open and close are compared with. Every row of an answer comes by here. */
class Prediction {
  readonly #candles: Int32Array
  /** Of the side that a bid or ask closes at. */
  readonly #tops: Int32Array
  /** Middle and spread are the ask plus or less the bid; 0 for a side itself. */
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

  /** After a row that has the candle. */
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
  let kept = 0
  for (let row = 0; row < count; row++) {
    const at = BUCKET_FIELDS * row + candle
    const open = candles[at]!
    if (open === NO_VALUE) continue
    const close = candles[at + 3]!
    opens[kept] = open - prediction.open(row)
    highs[kept] = candles[at + 1]! - Math.max(open, close)
    lows[kept] = Math.min(open, close) - candles[at + 2]!
    closes[kept] = close - prediction.close(row, open)
    prediction.passed(close)
    kept++
  }
  return fields.map((field) => packInts(field, kept))
}

function decodeCandle(
  rows: BucketColumns,
  candle: Candle,
  present: Float64Array,
  take: (length: number) => Float64Array,
): void {
  const { candles, count } = rows
  const bit = bitOf(candle)
  let kept = 0
  for (let row = 0; row < count; row++) if ((present[row]! & bit) !== 0) kept++
  const [opens, highs, lows, closes] = [take(kept), take(kept), take(kept), take(kept)]
  const prediction = new Prediction(rows, candle)
  kept = 0
  for (let row = 0; row < count; row++) {
    if ((present[row]! & bit) === 0) continue
    const at = BUCKET_FIELDS * row + candle
    const open = opens[kept]! + prediction.open(row)
    const close = closes[kept]! + prediction.close(row, open)
    candles[at] = open
    candles[at + 1] = highs[kept]! + Math.max(open, close)
    candles[at + 2] = Math.min(open, close) - lows[kept]!
    candles[at + 3] = close
    prediction.passed(close)
    kept++
  }
}

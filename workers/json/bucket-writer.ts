// Writes buckets as JSON. The texts between the numbers are constant, and so are most prices: those are printed once.

import { printTrimmedDecimal } from '../../storage/columns/decimal-text.ts'
import { MICROS } from '../../storage/units.ts'
import { NO_PRICE } from '../book/order-book.ts'
import { type BucketColumns, NO_VALUE } from '../summary/bucket-columns.ts'
import type { BucketGrid } from '../summary/bucket-grid.ts'
import type { ByteWriter } from './byte-writer.ts'
import { writeInteger } from './message-writer.ts'

const BUCKET_BYTES_MAX = 1_400
const PRICE_PLACES = 6
/** Prices and spreads come in steps of 1e-4 dollars on every venue; half of that for a midpoint. */
const CACHED_STEP = 50
const CACHED_COUNT = (2 * MICROS) / CACHED_STEP + 1

const encoder = new TextEncoder()
const TIMESTAMP = encoder.encode('{"timestamp":')
const QUOTES = encoder.encode(',"quote_count":')
const FILLED_FALSE = encoder.encode(',"is_forward_filled":false,"best_bid":')
const FILLED_TRUE = encoder.encode(',"is_forward_filled":true,"best_bid":')
const BID_SIZE = encoder.encode(',"best_bid_size":')
const ASK = encoder.encode(',"best_ask":')
const ASK_SIZE = encoder.encode(',"best_ask_size":')
const MID = encoder.encode(',"mid_price":')
const SPREAD = encoder.encode(',"spread":')
const NULL = encoder.encode('null')
const CANDLES = ['best_bid', 'best_ask', 'mid_price', 'spread'].map((name) =>
  encoder.encode(`,"${name}_ohlc":{"open":`),
)
const HIGH = encoder.encode(',"high":')
const LOW = encoder.encode(',"low":')
const CLOSE = encoder.encode(',"close":')
const CANDLE_END = encoder.encode('}')
const BUCKET_END = encoder.encode('}')

/** Texts of non-negative prices in half micros of the cached step. */
const cachedTexts: (Uint8Array | undefined)[] = new Array(CACHED_COUNT)
const printed = new Uint8Array(32)

export class BucketWriter {
  readonly #columns: BucketColumns
  readonly #grid: BucketGrid
  readonly #timestampDivisor: number

  constructor(columns: BucketColumns, grid: BucketGrid, timestampUnit: 'ms' | 's') {
    this.#columns = columns
    this.#grid = grid
    this.#timestampDivisor = timestampUnit === 's' ? 1_000 : 1
  }

  /** The bucket that the columns hold at an index. */
  writeObserved(writer: ByteWriter, index: number): void {
    const { numbers, quoteCounts } = this.#columns
    this.#writeTop(writer, numbers[index]!, quoteCounts[index]!, FILLED_FALSE, index)
    const { candles } = this.#columns
    for (let candle = 0; candle < 4; candle++) {
      const at = 16 * index + 4 * candle
      writeCandle(writer, candle, candles[at]!, candles[at + 1]!, candles[at + 2]!, candles[at + 3]!)
    }
    writer.write(BUCKET_END)
  }

  /** A bucket without a quote, in the state that the columns hold at an index. */
  writeCarried(writer: ByteWriter, number: number, index: number): void {
    this.#writeTop(writer, number, 0, FILLED_TRUE, index)
    const { bids, asks } = this.#columns
    const bid = bids[index]!
    const ask = asks[index]!
    const hasBoth = bid !== NO_PRICE && ask !== NO_PRICE
    const values = [
      bid === NO_PRICE ? NO_VALUE : bid,
      ask === NO_PRICE ? NO_VALUE : ask,
      hasBoth ? bid + ask : NO_VALUE,
      hasBoth ? ask - bid : NO_VALUE,
    ]
    values.forEach((value, candle) => {
      writeCandle(writer, candle, value, value, value, value)
    })
    writer.write(BUCKET_END)
  }

  #writeTop(writer: ByteWriter, number: number, quotes: number, filled: Uint8Array, index: number): void {
    const { bids, asks, bidSizes, askSizes } = this.#columns
    const bid = bids[index]!
    const ask = asks[index]!
    const hasBoth = bid !== NO_PRICE && ask !== NO_PRICE
    writer.reserve(BUCKET_BYTES_MAX)
    writer.write(TIMESTAMP)
    writeInteger(writer, this.#grid.startMs(number) / this.#timestampDivisor)
    writer.write(QUOTES)
    writeInteger(writer, quotes)
    writer.write(filled)
    writeCandleValue(writer, bid === NO_PRICE ? NO_VALUE : bid, false)
    writer.write(BID_SIZE)
    writeSize(writer, bidSizes[index]!)
    writer.write(ASK)
    writeCandleValue(writer, ask === NO_PRICE ? NO_VALUE : ask, false)
    writer.write(ASK_SIZE)
    writeSize(writer, askSizes[index]!)
    writer.write(MID)
    writeCandleValue(writer, hasBoth ? bid + ask : NO_VALUE, true)
    writer.write(SPREAD)
    writeCandleValue(writer, hasBoth ? ask - bid : NO_VALUE, false)
  }
}

function writeCandle(writer: ByteWriter, candle: number, open: number, high: number, low: number, close: number): void {
  const isSum = candle === 2
  writer.write(CANDLES[candle]!)
  writeCandleValue(writer, open, isSum)
  writer.write(HIGH)
  writeCandleValue(writer, high, isSum)
  writer.write(LOW)
  writeCandleValue(writer, low, isSum)
  writer.write(CLOSE)
  writeCandleValue(writer, close, isSum)
  writer.write(CANDLE_END)
}

function writeSize(writer: ByteWriter, size: number): void {
  writer.reserve(32)
  writer.length = printTrimmedDecimal(size, 6, writer.bytes, writer.length)
}

// A midpoint is held as the sum of both prices, in half micros; so everything is printed from half micros.
function writeCandleValue(writer: ByteWriter, value: number, isSum: boolean): void {
  if (value === NO_VALUE) {
    writer.write(NULL)
    return
  }
  const halves = isSum ? value : 2 * value
  const step = halves / (2 * CACHED_STEP)
  if (step >= 0 && Number.isInteger(step) && step < CACHED_COUNT) {
    cachedTexts[step] ??= printHalves(halves)
    writer.write(cachedTexts[step])
  } else writer.write(printHalves(halves))
}

// Half a micro is 0.0000005: ten times as many, at one place more, halved.
function printHalves(halves: number): Uint8Array {
  return printed.slice(0, printTrimmedDecimal(5 * halves, PRICE_PLACES + 1, printed, 0))
}

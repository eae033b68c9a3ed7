// Writes buckets as JSON into chunks. The texts between the numbers are constant, most prices have been printed before,
// and a bucket without a quote reads like the one before it but for its timestamp.

import { printDecimal } from '../../storage/format/columns/decimal-text.ts'
import { NO_PRICE } from '../book/order-book.ts'
import { type BucketColumns, NO_VALUE } from '../summary/bucket-columns.ts'
import type { BucketGrid } from '../summary/bucket-grid.ts'
import { putHalves, putSize, putSmall } from './price-texts.ts'
import { putText, wordText } from './text-words.ts'

const CHUNK_BYTES = 128 * 1_024
const BUCKET_BYTES_MAX = 1_400
const LAST_DIGITS = 1_000_000
const [OPEN, CLOSE] = [0x5b, 0x5d]

const TIMESTAMP = wordText(',{"timestamp":')
const QUOTES = wordText(',"quote_count":')
const FILLED_FALSE = wordText(',"is_forward_filled":false,"best_bid":')
const FILLED_TRUE = wordText(',"quote_count":0,"is_forward_filled":true,"best_bid":')
const BID_SIZE = wordText(',"best_bid_size":')
const ASK = wordText(',"best_ask":')
const ASK_SIZE = wordText(',"best_ask_size":')
const MID = wordText(',"mid_price":')
const SPREAD = wordText(',"spread":')
const NULL = wordText('null')
const CANDLES = ['best_bid', 'best_ask', 'mid_price', 'spread'].map((name) => wordText(`,"${name}_ohlc":{"open":`))
const HIGH = wordText(',"high":')
const LOW = wordText(',"low":')
const CLOSING = wordText(',"close":')
const CANDLE_END = wordText('}')
const BUCKET_END = wordText('}')

export class BucketWriter {
  readonly #columns: BucketColumns
  readonly #grid: BucketGrid
  readonly #timestampDivisor: number
  #bytes = chunkBuffer()
  #view = new DataView(this.#bytes.buffer)
  #length = 0
  #isBegun = false
  /** All digits of a timestamp but the last six: they change every thousand seconds. */
  #firstDigits = -1
  #firstDigitsText = wordText('')
  /** What follows the timestamp of the carried bucket that was written last, and the index whose state it says. */
  #carriedIndex = -1
  #carriedStart = 0
  #carriedEnd = 0

  constructor(columns: BucketColumns, grid: BucketGrid, timestampUnit: 'ms' | 's') {
    this.#columns = columns
    this.#grid = grid
    this.#timestampDivisor = timestampUnit === 's' ? 1_000 : 1
  }

  /** Whether what was written should be taken before more is. */
  get isFull(): boolean {
    return this.#length >= CHUNK_BYTES
  }

  /** What was written since it was taken last. */
  take(): Uint8Array {
    const bytes = this.#bytes
    const length = this.#length
    this.#length = 0
    this.#carriedIndex = -1
    // A full chunk is handed over as it is; a short one must not take the rest of the buffer along between threads.
    if (length < CHUNK_BYTES) return bytes.slice(0, length)
    this.#bytes = chunkBuffer()
    this.#view = new DataView(this.#bytes.buffer)
    return bytes.subarray(0, length)
  }

  /** Ends the array. */
  end(): void {
    if (!this.#isBegun) this.#bytes[this.#length++] = OPEN
    this.#bytes[this.#length++] = CLOSE
  }

  /** The bucket that the columns hold at an index. */
  writeObserved(index: number): void {
    const { numbers, quoteCounts, candles } = this.#columns
    const at = putText(this.#view, this.#begin(numbers[index]!), QUOTES)
    const start = putText(this.#view, putSmall(this.#bytes, at, quoteCounts[index]!), FILLED_FALSE)
    let end = this.#putTop(start, index)
    for (let candle = 0; candle < 4; candle++) {
      const first = 16 * index + 4 * candle
      const [high, low] = [candles[first + 1]!, candles[first + 2]!]
      end = this.#putCandle(end, candle, candles[first]!, high, low, candles[first + 3]!)
    }
    this.#length = putText(this.#view, end, BUCKET_END)
  }

  /** A bucket without a quote, in the state that the columns hold at an index. */
  writeCarried(number: number, index: number): void {
    const start = this.#begin(number)
    if (index === this.#carriedIndex) {
      this.#bytes.copyWithin(start, this.#carriedStart, this.#carriedEnd)
      this.#length = start + this.#carriedEnd - this.#carriedStart
      return
    }
    const { bids, asks } = this.#columns
    const bid = bids[index]!
    const ask = asks[index]!
    const hasBoth = bid !== NO_PRICE && ask !== NO_PRICE
    let end = this.#putTop(putText(this.#view, start, FILLED_TRUE), index)
    end = this.#putFlatCandle(end, 0, bid === NO_PRICE ? NO_VALUE : bid)
    end = this.#putFlatCandle(end, 1, ask === NO_PRICE ? NO_VALUE : ask)
    end = this.#putFlatCandle(end, 2, hasBoth ? bid + ask : NO_VALUE)
    end = this.#putFlatCandle(end, 3, hasBoth ? ask - bid : NO_VALUE)
    this.#length = putText(this.#view, end, BUCKET_END)
    this.#carriedIndex = index
    this.#carriedStart = start
    this.#carriedEnd = this.#length
  }

  #begin(number: number): number {
    const start = this.#length
    const at = putText(this.#view, start, TIMESTAMP)
    if (!this.#isBegun) this.#bytes[start] = OPEN
    this.#isBegun = true
    return this.#putTimestamp(at, this.#grid.startMs(number) / this.#timestampDivisor)
  }

  #putTimestamp(at: number, timestamp: number): number {
    const firstDigits = Math.floor(timestamp / LAST_DIGITS)
    if (firstDigits < 1) return printDecimal(timestamp, 0, this.#bytes, at)
    if (firstDigits !== this.#firstDigits) {
      this.#firstDigits = firstDigits
      this.#firstDigitsText = wordText(String(firstDigits))
    }
    const end = putText(this.#view, at, this.#firstDigitsText) + 6
    let rest = (timestamp - firstDigits * LAST_DIGITS) | 0
    for (let place = end - 1; place >= end - 6; place--) {
      const tenth = (rest / 10) | 0
      this.#bytes[place] = 0x30 + rest - 10 * tenth
      rest = tenth
    }
    return end
  }

  #putTop(start: number, index: number): number {
    const { bids, asks, bidSizes, askSizes } = this.#columns
    const bid = bids[index]!
    const ask = asks[index]!
    const hasBoth = bid !== NO_PRICE && ask !== NO_PRICE
    let at = this.#putPrice(start, bid === NO_PRICE ? NO_VALUE : bid, false)
    at = putSize(this.#bytes, putText(this.#view, at, BID_SIZE), bidSizes[index]!)
    at = this.#putPrice(putText(this.#view, at, ASK), ask === NO_PRICE ? NO_VALUE : ask, false)
    at = putSize(this.#bytes, putText(this.#view, at, ASK_SIZE), askSizes[index]!)
    at = this.#putPrice(putText(this.#view, at, MID), hasBoth ? bid + ask : NO_VALUE, true)
    return this.#putPrice(putText(this.#view, at, SPREAD), hasBoth ? ask - bid : NO_VALUE, false)
  }

  #putFlatCandle(start: number, candle: number, value: number): number {
    return this.#putCandle(start, candle, value, value, value, value)
  }

  #putCandle(start: number, candle: number, open: number, high: number, low: number, close: number): number {
    const isSum = candle === 2
    const view = this.#view
    let at = this.#putPrice(putText(view, start, CANDLES[candle]!), open, isSum)
    at = this.#putPrice(putText(view, at, HIGH), high, isSum)
    at = this.#putPrice(putText(view, at, LOW), low, isSum)
    at = this.#putPrice(putText(view, at, CLOSING), close, isSum)
    return putText(view, at, CANDLE_END)
  }

  // A midpoint is held as the sum of both prices, in half micros; so everything is printed from half micros.
  #putPrice(at: number, value: number, isSum: boolean): number {
    if (value === NO_VALUE) return putText(this.#view, at, NULL)
    return putHalves(this.#bytes, this.#view, at, isSum ? value : 2 * value)
  }
}

// Not emptied first, which takes as long as writing it: what leaves it is only what was written.
function chunkBuffer(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(CHUNK_BYTES + BUCKET_BYTES_MAX).buffer)
}

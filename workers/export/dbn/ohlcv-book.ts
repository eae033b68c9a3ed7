// Candles of the trades of one book and date as DBN's OHLCV. Volume is in 1e-6 contracts.

import { writeProduct } from '../../bytes/wide-product.ts'
import type { PresentRecord, PresentTrade } from '../book-events.ts'
import type { BookExport } from '../book-pass.ts'
import type { DbnFile } from './dbn-file.ts'
import { writeHeader, writePrice, writeTime } from './dbn-record.ts'

const RECORD_BYTES = 56
const US_PER_MS = 1_000
/** Length of a candle, and its type of record. */
export const CANDLES = {
  'ohlcv-1s': { ms: 1_000, type: 0x20 },
  'ohlcv-1m': { ms: 60_000, type: 0x21 },
  'ohlcv-1h': { ms: 3_600_000, type: 0x22 },
} as const

export class OhlcvBook implements BookExport<DbnFile> {
  readonly #file: DbnFile
  readonly #instrumentId: number
  readonly #candle: (typeof CANDLES)[keyof typeof CANDLES]
  #startMs = -1
  #open = 0
  #high = 0
  #low = 0
  #close = 0
  #volume = 0

  constructor(file: DbnFile, instrumentId: number, schema: keyof typeof CANDLES) {
    this.#file = file
    this.#instrumentId = instrumentId
    this.#candle = CANDLES[schema]
  }

  opening(): void {}
  snapshot(): void {}
  level(): void {}
  changed(): void {}
  gap(): void {}

  trade({ timeMs }: PresentRecord, { price, size }: PresentTrade): void {
    const startMs = timeMs - (timeMs % this.#candle.ms)
    if (startMs !== this.#startMs) {
      this.#write()
      this.#startMs = startMs
      this.#open = price
      this.#high = price
      this.#low = price
      this.#volume = 0
    }
    this.#high = Math.max(this.#high, price)
    this.#low = Math.min(this.#low, price)
    this.#close = price
    this.#volume += size
  }

  finish(): DbnFile {
    this.#write()
    return this.#file
  }

  abort(): void {
    this.#file.abort()
  }

  #write(): void {
    if (this.#startMs < 0) return
    const { view, at } = this.#file.next(RECORD_BYTES)
    writeHeader(view, at, RECORD_BYTES, this.#candle.type, this.#instrumentId)
    writeTime(view, at + 8, this.#startMs * US_PER_MS)
    for (const [i, price] of [this.#open, this.#high, this.#low, this.#close].entries()) {
      writePrice(view, at + 16 + 8 * i, price)
    }
    writeProduct(view, at + 48, this.#volume, 1)
  }
}

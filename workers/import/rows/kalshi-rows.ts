// Writes rows of a Kalshi archive as messages of Kalshi's order-book channel (docs.kalshi.com), each in an envelope
// with the receipt time. Does not invent `sid` or `seq` if the archive has none.

import type { RowReader } from '../../load/capture-reading.ts'
import type { ArchiveOptions } from '../archive.ts'
import { LineText, literal } from './line-text.ts'
import type { RowScales, RowSide } from './row-values.ts'

/** The position of a row. `venueUs` is NaN if the row has no venue time. */
export type KalshiPlace = { row: number; receivedMs: number; venueUs: number }

const RECEIVED = literal('{"recv_ms":')
const DELTA = literal(',"msg":{"type":"orderbook_delta","msg":{"market_ticker":"')
const SNAPSHOT = literal(',"msg":{"type":"orderbook_snapshot","msg":{"market_ticker":"')
const MARKET_ID = literal('","market_id":"')
const PRICE = literal('","price_dollars":"')
const SIZE = literal('","delta_fp":"')
const MINUS = literal('-')
const SIDE = { yes: literal('","side":"yes"'), no: literal('","side":"no"') }
const TIME = literal(',"ts":"')
const TIME_MS = literal('","ts_ms":')
const END_OF_TEXT = literal('"')
const SIDES = { yes: literal(',"yes_dollars_fp":['), no: literal(',"no_dollars_fp":[') }
const END_OF_SIDE = literal(']')
const FIRST_LEVEL = literal('["')
const NEXT_LEVEL = literal(',["')
const IN_LEVEL = literal('","')
const END_OF_LEVEL = literal('"]')
const END = literal('}}}')
/** Decimal places of prices and counts, as the venue prints them. */
const PRICE_PLACES = 4
const COUNT_PLACES = 2

export class KalshiRows {
  rows = 0
  readonly #lines: RowReader
  readonly #line: LineText
  readonly #options: ArchiveOptions
  readonly #scales: RowScales
  #market = ''
  #marketText = literal('')
  #second = Number.NaN
  #secondText = literal('')

  constructor(lines: RowReader, options: ArchiveOptions, scales: RowScales) {
    this.#lines = lines
    this.#line = new LineText(lines)
    this.#options = options
    this.#scales = scales
  }

  /** Starts a market: the following rows belong to it. */
  begin(market: string): void {
    this.#options.onMarket(market)
    this.#market = market
    this.#marketText = literal(JSON.stringify(market).slice(1, -1))
  }

  /** Writes a delta. `size` is signed. */
  delta(place: KalshiPlace, marketId: Uint8Array, side: 'yes' | 'no', price: number, size: number): void {
    this.rows++
    const line = this.#begin(place, DELTA, marketId).text(PRICE)
    this.#decimal(price, this.#scales.price, PRICE_PLACES)
    line.text(SIZE)
    if (size < 0) line.text(MINUS)
    this.#decimal(Math.abs(size), this.#scales.size, COUNT_PLACES)
    line.text(SIDE[side])
    if (!Number.isNaN(place.venueUs)) this.#time(place.venueUs)
    line.text(END).end(place.row)
  }

  snapshot(place: KalshiPlace, marketId: Uint8Array, yes: RowSide, no: RowSide): void {
    this.rows++
    this.#begin(place, SNAPSHOT, marketId).text(END_OF_TEXT)
    this.#side('yes', yes)
    this.#side('no', no)
    this.#line.text(END).end(place.row)
  }

  reject(place: KalshiPlace, reason: string, row: Record<string, unknown>): void {
    this.rows++
    this.#lines.reject(place.row, reason, literal(JSON.stringify({ market: this.#market, ...place, ...row })))
  }

  #begin({ receivedMs }: KalshiPlace, type: Uint8Array, marketId: Uint8Array): LineText {
    const line = this.#line.text(RECEIVED).whole(receivedMs).text(type).text(this.#marketText)
    return marketId.length === 0 ? line : line.text(MARKET_ID).text(marketId)
  }

  /** Writes a decimal with as many places as the venue, or with more if the row has more. */
  #decimal(units: number, places: number, printed: number): void {
    const unit = 10 ** (places - printed)
    if (units % unit === 0) this.#line.fixed(units / unit, printed)
    else this.#line.decimal(units, places)
  }

  #time(venueUs: number): void {
    const second = Math.floor(venueUs / 1e6)
    if (second !== this.#second) {
      this.#second = second
      this.#secondText = literal(new Date(second * 1_000).toISOString().slice(0, 19))
    }
    const digits = String(venueUs - second * 1e6)
      .padStart(6, '0')
      .replace(/0+$/, '')
    const line = this.#line.text(TIME).text(this.#secondText)
    line
      .text(literal(digits === '' ? 'Z' : `.${digits}Z`))
      .text(TIME_MS)
      .whole(Math.floor(venueUs / 1_000))
  }

  /** Prints a side. Prints nothing if the side is empty, as the venue does. */
  #side(name: 'yes' | 'no', { prices, sizes }: RowSide): void {
    if (prices.length === 0) return
    const line = this.#line.text(SIDES[name])
    for (let i = 0; i < prices.length; i++) {
      line.text(i === 0 ? FIRST_LEVEL : NEXT_LEVEL)
      this.#decimal(prices[i]!, this.#scales.price, PRICE_PLACES)
      line.text(IN_LEVEL)
      this.#decimal(sizes[i]!, this.#scales.size, COUNT_PLACES)
      line.text(END_OF_LEVEL)
    }
    line.text(END_OF_SIDE)
  }
}

// Writes rows of a Polymarket archive as messages of Polymarket's market channel (docs.polymarket.com/asyncapi.json),
// each in an envelope with the receipt time. A message has exactly the values of its row.

import type { RowReader } from '../../load/capture-reading.ts'
import type { ArchiveOptions } from '../archive.ts'
import { ChangeValues } from './change-values.ts'
import { ClippedBooks } from './clipped-books.ts'
import { LineText, literal } from './line-text.ts'
import type { RowChange, RowPlace, RowScales, RowSide, TradeRow } from './row-values.ts'

const RECEIVED = literal('{"recv_ms":')
const MESSAGE = literal(',"msg":{')
const BARE = literal('{"msg":{')
const MARKET = literal('"market":"')
const TOKEN = literal('","asset_id":"')
const TIMESTAMP = literal('","timestamp":"')
const AFTER_CHANGE = literal('"}],"timestamp":"')
const END_WITHOUT_TIME = literal('"}],"event_type":"price_change"}}')
const CHANGES = literal('","price_changes":[{"asset_id":"')
const PRICE = literal('","price":"')
const SIZE = literal('","size":"')
const SIDE = literal('","side":"')
const BEST_BID = literal('","best_bid":"')
const BEST_ASK = literal('","best_ask":"')
const NEXT_CHANGE = literal('"},{"asset_id":"')
const END_OF_CHANGE = literal('","event_type":"price_change"}}')
const BIDS = literal('","bids":[')
const ASKS = literal('],"asks":[')
const FIRST_LEVEL = literal('{"price":"')
const NEXT_LEVEL = literal(',{"price":"')
const END_OF_LEVEL = literal('"}')
const END_OF_BOOK = literal('],"event_type":"book"}}')
const FEE = literal('","fee_rate_bps":"')
const HASH = literal('","transaction_hash":"')
const END_OF_TRADE = literal('","event_type":"last_trade_price"}}')
const OLD_TICK = literal('","old_tick_size":"')
const NEW_TICK = literal('","new_tick_size":"')
const END_OF_TICK = literal('","event_type":"tick_size_change"}}')
const SIDES = { BUY: literal('BUY'), SELL: literal('SELL') }

export class PolymarketRows {
  rows = 0
  /** Number of level removals that a repair added. */
  repaired = 0
  readonly #options: ArchiveOptions
  readonly #lines: RowReader
  readonly #line: LineText
  readonly #values: ChangeValues
  readonly #scales: RowScales
  /** Undefined unless the repair `clip-beyond-best` is applied. */
  readonly #clipped: ClippedBooks | undefined
  #market = ''
  #marketText = literal('')
  #token = ''
  #tokenText = literal('')

  constructor(lines: RowReader, options: ArchiveOptions, scales: RowScales) {
    this.#lines = lines
    this.#line = new LineText(lines)
    this.#values = new ChangeValues(lines, scales, (place, change) => this.#printChange(place, change, []).take())
    this.#options = options
    this.#scales = scales
    if (options.repairs.has('clip-beyond-best')) this.#clipped = new ClippedBooks(scales)
  }

  /** Starts a market: the following rows belong to it. Its id is 0x and 64 lower-case hexadecimal digits. */
  begin(market: string): void {
    this.#options.onMarket(market)
    this.#market = market
    this.#marketText = literal(market)
    this.#values.begin(market)
    this.#clipped?.clear()
  }

  book(place: RowPlace, bids: RowSide, asks: RowSide): void {
    this.rows++
    this.#clipped?.replace(place.token, bids, asks)
    this.#begin(place)
    this.#venueTime(place).text(BIDS)
    this.#side(bids)
    this.#line.text(ASKS)
    this.#side(asks)
    this.#line.text(END_OF_BOOK).end(place.row)
  }

  change(place: RowPlace, change: RowChange): void {
    this.rows++
    const clipped = this.#clipped?.change(place.token, change) ?? []
    this.repaired += clipped.length
    if (clipped.length === 0 && this.#values.take(place, change)) return
    this.#printChange(place, change, clipped).end(place.row)
  }

  trade(place: RowPlace, { side, price, size, feeBps, transaction }: TradeRow): void {
    this.rows++
    const line = this.#begin(place).text(PRICE).decimal(price, this.#scales.price)
    line.text(SIZE).decimal(size, this.#scales.size)
    if (side !== null) line.text(SIDE).text(SIDES[side])
    if (!Number.isNaN(feeBps)) line.text(FEE).whole(feeBps)
    if (transaction.length > 0) line.text(HASH).text(transaction)
    this.#venueTime(place).text(END_OF_TRADE).end(place.row)
  }

  /** Writes a gap: the archive lacks rows of a book between these times, Unix ms. The book is unknown until its next
   *  snapshot. */
  gap({ row, token, receivedMs }: RowPlace, reason: string, fromMs: number, toMs: number): void {
    this.#clipped?.forget(token)
    const msg = { reason, from: fromMs, to: toMs }
    const gap = { type: 'gap', venue: 'polymarket', recv_ms: receivedMs, market: this.#market, asset_id: token, msg }
    const bytes = literal(JSON.stringify(gap))
    this.#lines.line(bytes, 0, bytes.length, row)
  }

  tickSize(place: RowPlace, before: number, after: number): void {
    this.rows++
    const line = this.#begin(place).text(OLD_TICK).decimal(before, this.#scales.price)
    line.text(NEW_TICK).decimal(after, this.#scales.price)
    this.#venueTime(place).text(END_OF_TICK).end(place.row)
  }

  /** Rejects a row that lacks a value, or has a value that the venue never sends. */
  reject(place: RowPlace, reason: string, row: Record<string, unknown>): void {
    this.rows++
    this.#lines.reject(place.row, reason, literal(JSON.stringify({ market: this.#market, ...place, ...row })))
  }

  #envelope({ token, receivedMs }: RowPlace): LineText {
    if (token !== this.#token) {
      this.#token = token
      this.#tokenText = literal(token)
    }
    if (Number.isNaN(receivedMs)) return this.#line.text(BARE)
    return this.#line.text(RECEIVED).whole(receivedMs).text(MESSAGE)
  }

  /** Prints the quote that ends the value before, and the venue time. Prints nothing if the row has no venue time. */
  #venueTime({ venueMs }: RowPlace): LineText {
    return Number.isNaN(venueMs) ? this.#line : this.#line.text(TIMESTAMP).whole(venueMs)
  }

  #begin(place: RowPlace): LineText {
    return this.#envelope(place).text(MARKET).text(this.#marketText).text(TOKEN).text(this.#tokenText)
  }

  #printChange(place: RowPlace, change: RowChange, clipped: readonly RowChange[]): LineText {
    const line = this.#envelope(place).text(MARKET).text(this.#marketText).text(CHANGES)
    this.#entry(change)
    for (const removal of clipped) {
      line.text(NEXT_CHANGE)
      this.#entry(removal)
    }
    if (Number.isNaN(place.venueMs)) return line.text(END_WITHOUT_TIME)
    return line.text(AFTER_CHANGE).whole(place.venueMs).text(END_OF_CHANGE)
  }

  #entry({ side, price, size, bestBid, bestAsk }: RowChange): void {
    const { price: pricePlaces, size: sizePlaces } = this.#scales
    const line = this.#line.text(this.#tokenText).text(PRICE).decimal(price, pricePlaces)
    line.text(SIZE).decimal(size, sizePlaces).text(SIDE).text(SIDES[side])
    if (!Number.isNaN(bestBid)) line.text(BEST_BID).decimal(bestBid, pricePlaces)
    if (!Number.isNaN(bestAsk)) line.text(BEST_ASK).decimal(bestAsk, pricePlaces)
  }

  #side({ prices, sizes }: RowSide): void {
    const { price, size } = this.#scales
    for (let i = 0; i < prices.length; i++) {
      const line = this.#line.text(i === 0 ? FIRST_LEVEL : NEXT_LEVEL).decimal(prices[i]!, price)
      line.text(SIZE).decimal(sizes[i]!, size).text(END_OF_LEVEL)
    }
  }
}

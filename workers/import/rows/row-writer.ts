// Converts rows of a Polymarket archive that has one column for each value of its events. Refills the same objects for
// all rows, to save allocations.

import type { RowReader } from '../../load/capture-reading.ts'
import type { ArchiveOptions } from '../archive.ts'
import type { WordColumn } from '../parquet/row-group.ts'
import { PolymarketRows } from './polymarket-rows.ts'
import type { RowChange, RowPlace, RowScales, RowSide, TradeRow } from './row-values.ts'
import { WordTexts } from './word-texts.ts'

/** Columns of events. A column that no event of the rows needs may be shorter than the rows. */
export type EventColumns = {
  tokens: WordColumn
  prices: Float64Array
  sizes: Float64Array
  sides: WordColumn
  bestBids: Float64Array
  bestAsks: Float64Array
  fees: Float64Array
  transactions: WordColumn
  oldTicks: Float64Array
  newTicks: Float64Array
}

/** Reads values that archives encode in different ways. */
export type EventForm<Of extends EventColumns> = {
  /** Returns the token as decimal digits. */
  tokenOf(cell: Uint8Array): string
  /** Returns the transaction hash as hexadecimal digits after 0x. */
  transactionOf(cell: Uint8Array): Uint8Array
  /** Returns undefined if the cell is not a list of levels. */
  bidsOf(columns: Of, at: number): RowSide | undefined
  asksOf(columns: Of, at: number): RowSide | undefined
}

const NO_BYTES = new Uint8Array(0)
const NO_PRICE = 'the row has no price, or no size'

export class RowWriter<Of extends EventColumns> {
  readonly rows: PolymarketRows
  readonly #form: EventForm<Of>
  readonly #tokens: WordTexts
  readonly #sides = new WordTexts()
  readonly #place: RowPlace = { row: 0, token: '', receivedMs: 0, venueMs: 0 }
  readonly #change: RowChange = { side: 'BUY', price: 0, size: 0, bestBid: 0, bestAsk: 0 }
  readonly #trade: TradeRow = { side: null, price: 0, size: 0, feeBps: 0, transaction: NO_BYTES }

  constructor(lines: RowReader, options: ArchiveOptions, scales: RowScales, form: EventForm<Of>) {
    this.rows = new PolymarketRows(lines, options, scales)
    this.#form = form
    this.#tokens = new WordTexts(form.tokenOf)
  }

  tokenAt({ tokens }: Of, at: number): string {
    return this.#tokens.of(tokens, at)
  }

  /** Writes a row. `row` is its number in the file, from 1. */
  write(type: string, columns: Of, at: number, row: number, receivedMs: number, venueMs: number): void {
    const place = this.#placeOf(columns, at, row, receivedMs, venueMs)
    if (place.token === '') this.#reject(type, columns, at, 'the row names no token')
    else if (type === 'price_change') this.#writeChange(columns, at)
    else if (type === 'last_trade_price') this.#writeTrade(columns, at)
    else if (type === 'book') this.#writeBook(columns, at)
    else if (type === 'tick_size_change') this.#writeTickSize(columns, at)
    else this.rows.reject(place, 'the type of the event is not known', { type })
  }

  /** Writes a gap in the book of a row, after the row. */
  gap(columns: Of, at: number, row: number, reason: string, fromMs: number, toMs: number): void {
    this.rows.gap(this.#placeOf(columns, at, row, toMs, Number.NaN), reason, fromMs, toMs)
  }

  #placeOf(columns: Of, at: number, row: number, receivedMs: number, venueMs: number): RowPlace {
    const place = this.#place
    place.row = row
    place.token = this.#tokens.of(columns.tokens, at)
    place.receivedMs = receivedMs
    place.venueMs = venueMs
    return place
  }

  #writeChange(columns: Of, at: number): void {
    const change = this.#change
    const side = this.#sides.of(columns.sides, at)
    change.price = columns.prices[at]!
    change.size = columns.sizes[at]!
    if (!(change.price >= 0 && change.size >= 0)) return this.#reject('price_change', columns, at, NO_PRICE)
    if (side !== 'BUY' && side !== 'SELL') {
      return this.#reject('price_change', columns, at, 'the change has no side')
    }
    change.side = side
    change.bestBid = columns.bestBids[at] ?? Number.NaN
    change.bestAsk = columns.bestAsks[at] ?? Number.NaN
    this.rows.change(this.#place, change)
  }

  #writeTrade(columns: Of, at: number): void {
    const trade = this.#trade
    const side = this.#sides.of(columns.sides, at)
    trade.price = columns.prices[at]!
    trade.size = columns.sizes[at]!
    if (!(trade.price >= 0 && trade.size >= 0)) return this.#reject('last_trade_price', columns, at, NO_PRICE)
    trade.side = side === 'BUY' || side === 'SELL' ? side : null
    trade.feeBps = columns.fees[at] ?? Number.NaN
    const { places, words } = columns.transactions
    const place = places[at] ?? -1
    trade.transaction = place < 0 ? NO_BYTES : this.#form.transactionOf(words.of(place))
    this.rows.trade(this.#place, trade)
  }

  #writeBook(columns: Of, at: number): void {
    const bids = this.#form.bidsOf(columns, at)
    const asks = this.#form.asksOf(columns, at)
    if (bids !== undefined && asks !== undefined) return this.rows.book(this.#place, bids, asks)
    this.#reject('book', columns, at, 'a side of the book is not a list of levels')
  }

  #writeTickSize(columns: Of, at: number): void {
    const [before, after] = [columns.oldTicks[at]!, columns.newTicks[at]!]
    if (before > 0 && after > 0) return this.rows.tickSize(this.#place, before, after)
    this.#reject('tick_size_change', columns, at, 'the row has no tick size')
  }

  #reject(type: string, columns: Of, at: number, reason: string): void {
    const [price, size] = [columns.prices[at], columns.sizes[at]]
    this.rows.reject(this.#place, reason, { type, side: this.#sides.of(columns.sides, at), price, size })
  }
}

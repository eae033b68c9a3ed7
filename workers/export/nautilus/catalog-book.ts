// Writes one book of a date to files of a Nautilus catalog: deltas, quotes and trades.

import { MICROS } from '../../../storage/units.ts'
import { heightOfLevel, isAskLevel } from '../../book/level-key.ts'
import { NO_PRICE, NO_TOP, type OrderBook, type Top } from '../../book/order-book.ts'
import { MEANINGS } from '../../venues.ts'
import type { PresentRecord, PresentTrade } from '../book-events.ts'
import type { BookExport, BookOfDay } from '../book-pass.ts'
import { ExportClock } from '../export-clock.ts'
import type { BeginFile } from '../new-file.ts'
import { CatalogDeltas } from './catalog-deltas.ts'
import { catalogPath, SIZE_PRECISION } from './catalog-names.ts'
import { CatalogRows } from './catalog-rows.ts'
import { type FixedBytes, QUOTE_COLUMNS, TRADE_COLUMNS } from './catalog-schema.ts'
import { PricePrecision } from './price-precision.ts'

export type CatalogCounts = {
  deltas: number
  quotes: number
  trades: number
  /** Records whose `ts_init` differs from the recorder's clock: see ExportClock. */
  movedTimes: number
  /** Records that change a book before its first snapshot. */
  unseenBook: number
  /** Digits after the decimal point of prices. */
  pricePrecision: number
}

/** `pricePrecision` is what the market's tick size needs; prices may need more. */
export type CatalogOptions = { fixedBytes: FixedBytes; pricePrecision: number }

type FinishedRows = Pick<CatalogRows<typeof QUOTE_COLUMNS>, 'finish' | 'firstInitUs' | 'lastInitUs'>

export class CatalogBook implements BookExport<CatalogCounts> {
  readonly #of: BookOfDay
  readonly #clock: ExportClock
  readonly #precision: PricePrecision
  readonly #deltas: CatalogDeltas
  readonly #quotes: CatalogRows<typeof QUOTE_COLUMNS>
  readonly #trades: CatalogRows<typeof TRADE_COLUMNS>
  /** The open quote, which later records may still change. `#written` is the last complete quote. */
  readonly #open: Top = { ...NO_TOP }
  readonly #written: Top = { ...NO_TOP }
  #isOpen = false
  #openEventUs = 0
  #openInitUs = 0
  #unseenBook = 0

  constructor(of: BookOfDay, begin: BeginFile, { fixedBytes, pricePrecision }: CatalogOptions) {
    this.#of = of
    this.#clock = new ExportClock(of.date)
    this.#precision = new PricePrecision(pricePrecision)
    this.#deltas = new CatalogDeltas(begin(), fixedBytes, this.#precision)
    this.#quotes = new CatalogRows(QUOTE_COLUMNS, fixedBytes, begin())
    this.#trades = new CatalogRows(TRADE_COLUMNS, fixedBytes, begin())
  }

  opening(at: PresentRecord, book: OrderBook): void {
    this.#begin(at)
    if (book.trust === 'established') this.#deltas.snapshot(book)
    else this.#deltas.known(book)
    this.#noteQuote(book)
  }

  switched(at: PresentRecord, book: OrderBook): void {
    this.gap(at)
    this.opening(at, book)
  }

  snapshot(at: PresentRecord, book: OrderBook): void {
    this.#begin(at)
    this.#writeQuote()
    this.#deltas.snapshot(book)
    this.#noteQuote(book)
  }

  level(at: PresentRecord, key: number, sizeNow: number, sizeBefore: number): void {
    // Nautilus must not get a delete of a level that does not exist.
    if (sizeNow === 0 && sizeBefore === 0) return
    this.#begin(at)
    const isAsk = isAskLevel(key)
    const price = isAsk ? MICROS - heightOfLevel(key) : heightOfLevel(key)
    this.#deltas.change(isAsk, price, sizeNow)
  }

  changed(at: PresentRecord, book: OrderBook): void {
    this.#begin(at)
    this.#deltas.end()
    if (book.trust !== 'established') this.#unseenBook++
    if (at.opensQuote) this.#writeQuote()
    this.#noteQuote(book)
  }

  gap(at: PresentRecord): void {
    this.#begin(at)
    this.#writeQuote()
    this.#deltas.clear()
    Object.assign(this.#written, NO_TOP)
  }

  trade(at: PresentRecord, { price, size, side }: PresentTrade): void {
    this.#begin(at)
    this.#precision.note(price)
    const row = this.#trades.next(this.#clock.eventUs, this.#clock.receivedUs)
    const { columns } = this.#trades
    columns.price.setMicros(row, price)
    columns.size.setMicros(row, size)
    columns.aggressor_side.values[row] = side
    // The venues' trade ids are too long, or shared by several trades.
    columns.trade_id.add(`${this.#of.date}-${at.record}`)
  }

  finish(): CatalogCounts {
    this.#writeQuote()
    const { venue, market, book } = this.#of
    const instrument = MEANINGS[venue].instrument.id(market, book)
    const metadata = new Map([
      ['instrument_id', instrument],
      ['price_precision', String(this.#precision.digits)],
      ['size_precision', String(SIZE_PRECISION)],
    ])
    const finish = (type: string, rows: FinishedRows) =>
      rows.finish(catalogPath(type, instrument, rows.firstInitUs, rows.lastInitUs), metadata)
    finish('order_book_deltas', this.#deltas.rows)
    finish('quotes', this.#quotes)
    finish('trades', this.#trades)
    return {
      deltas: this.#deltas.rows.rowCount,
      quotes: this.#quotes.rowCount,
      trades: this.#trades.rowCount,
      movedTimes: this.#clock.movedTimes,
      unseenBook: this.#unseenBook,
      pricePrecision: this.#precision.digits,
    }
  }

  abort(): void {
    for (const rows of [this.#deltas.rows, this.#quotes, this.#trades]) rows.abort()
  }

  #begin(at: PresentRecord): void {
    this.#clock.set(at)
    this.#deltas.at(this.#clock.eventUs, this.#clock.receivedUs)
  }

  #noteQuote(book: OrderBook): void {
    // Before the first snapshot, the known best level may not be the best.
    this.#isOpen = book.trust === 'established'
    if (!this.#isOpen) return
    book.readTop(this.#open)
    this.#openEventUs = this.#clock.eventUs
    this.#openInitUs = this.#clock.receivedUs
  }

  /** Writes the open quote if it has two sides and differs from the quote before it. */
  #writeQuote(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const [open, written] = [this.#open, this.#written]
    const { bid, bidSize, ask, askSize } = open
    const isSame =
      bid === written.bid && bidSize === written.bidSize && ask === written.ask && askSize === written.askSize
    if (isSame) return
    Object.assign(written, open)
    if (bid === NO_PRICE || ask === NO_PRICE) return
    const row = this.#quotes.next(this.#openEventUs, this.#openInitUs)
    const { columns } = this.#quotes
    columns.bid_price.setMicros(row, bid)
    columns.ask_price.setMicros(row, ask)
    columns.bid_size.setMicros(row, bidSize)
    columns.ask_size.setMicros(row, askSize)
  }
}

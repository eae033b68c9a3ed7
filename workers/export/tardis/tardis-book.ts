// Writes one book of a date as Tardis' CSV files (docs.tardis.dev/downloadable-csv-files): incremental_book_L2,
// book_snapshot_25, quotes and trades.

import { MICROS } from '../../../storage/units.ts'
import { ASK, BID, type Side } from '../../book/ladder.ts'
import { bestFirst, heightOfLevel, isAskLevel, levelKey } from '../../book/level-key.ts'
import { isSameSide, NO_PRICE, NO_TOP, type OrderBook, SideLevels, type Top } from '../../book/order-book.ts'
import { quotedCsv } from '../../table/quoted-text.ts'
import type { PresentRecord, PresentTrade } from '../book-events.ts'
import type { BookExport, BookOfDay } from '../book-pass.ts'
import { ExportClock } from '../export-clock.ts'
import type { BeginFile } from '../new-file.ts'
import { CsvRows, word } from './csv-rows.ts'

export type TardisCounts = {
  changes: number
  bookSnapshots: number
  quotes: number
  trades: number
  /** Records whose `local_timestamp` differs from the recorder's clock: see ExportClock. */
  movedTimes: number
  /** Records that change a book before its first snapshot. */
  unseenBook: number
}

/** Levels of each side in a row of book_snapshot_25. */
const LEVELS = 25
const PLACE = 'exchange,symbol,timestamp,local_timestamp'
const HEADERS = {
  incremental_book_L2: `${PLACE},is_snapshot,side,price,amount`,
  book_snapshot_25: `${PLACE},${Array.from({ length: LEVELS }, (_, i) =>
    ['asks', 'bids'].map((side) => `${side}[${i}].price,${side}[${i}].amount`).join(','),
  ).join(',')}`,
  quotes: `${PLACE},ask_amount,ask_price,bid_price,bid_amount`,
  trades: `${PLACE},id,side,price,amount`,
} as const
export type TardisType = keyof typeof HEADERS
export const TARDIS_TYPES = Object.keys(HEADERS) as TardisType[]

const [TRUE, FALSE] = [word('true'), word('false')]
const SIDE_WORDS = [word('bid'), word('ask')]
/** Tardis' word for each value of `PresentTrade.side`: what the taker did. */
const TAKER_WORDS = [word('unknown'), word('buy'), word('sell')]

export class TardisBook implements BookExport<TardisCounts> {
  readonly #of: BookOfDay
  readonly #clock: ExportClock
  readonly #tradeClock: ExportClock
  readonly #files: Record<TardisType, CsvRows>
  /** Both sides as they are now, and as the last row of book_snapshot_25 has them. */
  readonly #sides = [BID, ASK].map((side) => ({ side, now: new SideLevels(), written: new SideLevels(), count: 0 }))
  readonly #top: Top = { ...NO_TOP }
  readonly #writtenTop: Top = { ...NO_TOP }
  /** Levels in the rows so far, to remove them later. */
  readonly #levels = new Set<number>()
  #snapshotUs = Number.NaN
  #unseenBook = 0

  constructor(of: BookOfDay, begin: BeginFile) {
    this.#of = of
    this.#clock = new ExportClock(of.date)
    this.#tradeClock = new ExportClock(of.date)
    const rows = (type: TardisType) => new CsvRows(begin(), HEADERS[type], of.venue, of.book)
    this.#files = {
      incremental_book_L2: rows('incremental_book_L2'),
      book_snapshot_25: rows('book_snapshot_25'),
      quotes: rows('quotes'),
      trades: rows('trades'),
    }
  }

  opening(at: PresentRecord, book: OrderBook): void {
    if (book.trust === 'established') return this.snapshot(at, book)
    this.#begin(at)
    for (const { side } of this.#sides) {
      for (const [height, size] of book.levels(side)) this.#change(levelKey(side, height), size)
    }
  }

  switched(at: PresentRecord, book: OrderBook): void {
    if (book.trust === 'established') return this.snapshot(at, book)
    this.#begin(at)
    this.#removeAll()
    this.opening(at, book)
  }

  snapshot(at: PresentRecord, book: OrderBook): void {
    this.#begin(at)
    // Readers treat snapshot rows with the same time as one snapshot, so the next snapshot needs another time.
    if (this.#clock.receivedUs === this.#snapshotUs) this.#clock.step()
    this.#snapshotUs = this.#clock.receivedUs
    const before = Array.from(this.#levels).sort(bestFirst)
    this.#levels.clear()
    for (const { side } of this.#sides) {
      for (const [height, size] of book.levels(side)) {
        this.#levels.add(levelKey(side, height))
        this.#row(side, priceAt(side, height), size, TRUE)
      }
    }
    // An empty snapshot has no row, so the earlier levels are removed one by one. The removals get the event time:
    // the venue's time of a snapshot may be old, and readers rely on the time of a change.
    if (this.#levels.size === 0) {
      this.#clock.takeEventTime(at)
      for (const key of before) this.#change(key, 0)
    }
    this.changed(at, book)
  }

  level(at: PresentRecord, key: number, sizeNow: number, sizeBefore: number): void {
    if (sizeNow === 0 && sizeBefore === 0) return
    this.#begin(at)
    this.#change(key, sizeNow)
  }

  changed(at: PresentRecord, book: OrderBook): void {
    this.#begin(at)
    // Before the first snapshot, the known best levels may not be the best.
    if (book.trust !== 'established') {
      this.#unseenBook++
      return
    }
    this.#writeBook(book)
    this.#writeQuote(book)
  }

  /** Removes the levels at a switch to a source that does not have the book. Writes nothing for any other gap: the
   *  files have no row for an unknown book, so readers keep its levels until the next snapshot. */
  gap(at: PresentRecord, isSwitch = false): void {
    if (!isSwitch) return
    this.#begin(at)
    this.#removeAll()
  }

  #removeAll(): void {
    for (const key of Array.from(this.#levels).sort(bestFirst)) this.#change(key, 0)
  }

  trade(at: PresentRecord, { price, size, side, id }: PresentTrade): void {
    this.#tradeClock.set(at)
    const row = this.#files.trades.begin(this.#tradeClock.eventUs, this.#tradeClock.receivedUs)
    const name = id()
    if (name === null) row.empty()
    else row.word(word(quotedCsv(name)))
    row.word(TAKER_WORDS[side]!).micros(price).micros(size).end()
  }

  finish(): TardisCounts {
    const { venue, book, date } = this.#of
    for (const type of TARDIS_TYPES) {
      this.#files[type].finish(`${venue}/${type}/${date.replaceAll('-', '/')}/${encodeURIComponent(book)}.csv.gz`)
    }
    return {
      changes: this.#files.incremental_book_L2.rowCount,
      bookSnapshots: this.#files.book_snapshot_25.rowCount,
      quotes: this.#files.quotes.rowCount,
      trades: this.#files.trades.rowCount,
      movedTimes: this.#clock.movedTimes + this.#tradeClock.movedTimes,
      unseenBook: this.#unseenBook,
    }
  }

  abort(): void {
    for (const file of Object.values(this.#files)) file.abort()
  }

  #begin(at: PresentRecord): void {
    this.#clock.set(at)
  }

  #change(key: number, size: number): void {
    const side = isAskLevel(key) ? ASK : BID
    if (size === 0) this.#levels.delete(key)
    else this.#levels.add(key)
    this.#row(side, priceAt(side, heightOfLevel(key)), size, FALSE)
  }

  #row(side: Side, price: number, size: number, isSnapshot: Uint8Array): void {
    const row = this.#files.incremental_book_L2.begin(this.#clock.eventUs, this.#clock.receivedUs)
    row.word(isSnapshot).word(SIDE_WORDS[side]!).micros(price).micros(size).end()
  }

  /** Writes a row if one of the shown levels changed. */
  #writeBook(book: OrderBook): void {
    let isSame = true
    for (const shown of this.#sides) {
      const count = Math.min(book.readSide(shown.side, shown.now), LEVELS)
      isSame &&= count === shown.count && isSameSide(shown.now, shown.written, count)
      shown.count = count
    }
    if (isSame) return
    const row = this.#files.book_snapshot_25.begin(this.#clock.eventUs, this.#clock.receivedUs)
    for (let i = 0; i < LEVELS; i++) {
      for (const { now, count } of [this.#sides[ASK]!, this.#sides[BID]!]) {
        if (i < count) row.micros(now.prices[i]!).micros(now.sizes[i]!)
        else row.empty().empty()
      }
    }
    row.end()
    for (const shown of this.#sides) [shown.now, shown.written] = [shown.written, shown.now]
  }

  #writeQuote(book: OrderBook): void {
    const [top, written] = [this.#top, this.#writtenTop]
    book.readTop(top)
    const { bid, bidSize, ask, askSize } = top
    const isSame =
      bid === written.bid && bidSize === written.bidSize && ask === written.ask && askSize === written.askSize
    if (isSame) return
    Object.assign(written, top)
    const row = this.#files.quotes.begin(this.#clock.eventUs, this.#clock.receivedUs)
    if (ask === NO_PRICE) row.empty().empty()
    else row.micros(askSize).micros(ask)
    if (bid === NO_PRICE) row.empty().empty()
    else row.micros(bid).micros(bidSize)
    row.end()
  }
}

const priceAt = (side: Side, height: number): number => (side === BID ? height : MICROS - height)

// What the rows of an archive say of themselves, counted by market and hour. It is measured while they are read: an
// archive that calls an hour complete may still miss rows of it.

import { type ArchiveQuality, NO_ROWS } from '../../../storage/finding/provenance.ts'
import { HOUR_MS } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
import { RowBook, type RowLevels } from './row-book.ts'

/** As in heads: a snapshot that differs in at most one level agrees, since a book after a trade has its effect. */
const LEVELS_DIFFERING_MAX = 1

export type HourQuality = Omit<ArchiveQuality, 'source'>

export class RowQuality {
  readonly #hours = new Map<string, HourQuality>()
  readonly #books = new Map<string, Map<string, RowBook>>()
  #last = new Map<string, RowBook>()
  #lastMarket = ''
  readonly #spare: RowBook[] = []
  #hour: HourQuality | undefined

  /** All that was counted since this was called before. */
  take(): HourQuality[] {
    const hours = [...this.#hours.values()]
    this.#hours.clear()
    this.#hour = undefined
    return hours
  }

  /** Nothing follows of the books so far. */
  forgetBooks(): void {
    for (const books of this.#books.values()) {
      for (const book of books.values()) {
        book.clear()
        this.#spare.push(book)
      }
    }
    this.#books.clear()
    this.#last = new Map()
    this.#lastMarket = ''
  }

  row(venue: Venue, market: string, timeMs: number): HourQuality {
    const known = this.#hour
    if (known?.market === market && timeMs >= known.hourMs && timeMs < known.hourMs + HOUR_MS) {
      known.rows++
      return known
    }
    // What has no time is of no hour.
    if (Number.isNaN(timeMs)) return { ...{ venue, market, hourMs: timeMs }, ...NO_ROWS }
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS
    const key = `${venue} ${market} ${hourMs}`
    let hour = this.#hours.get(key)
    if (hour === undefined) {
      hour = { ...{ venue, market, hourMs }, ...NO_ROWS }
      this.#hours.set(key, hour)
    }
    hour.rows++
    this.#hour = hour
    return hour
  }

  bookOf(market: string, id: string): RowBook {
    let books = this.#last
    if (market !== this.#lastMarket) {
      books = this.#books.get(market) ?? new Map()
      this.#books.set(market, books)
      this.#last = books
      this.#lastMarket = market
    }
    let book = books.get(id)
    if (book === undefined) {
      book = this.#spare.pop() ?? new RowBook()
      books.set(id, book)
    }
    return book
  }

  snapshot(hour: HourQuality, book: RowBook, bids: RowLevels, asks: RowLevels): void {
    const { isEstablished } = book
    const differing = book.replace(bids, asks)
    if (!isEstablished) return
    hour.snapshotsChecked++
    if (differing <= LEVELS_DIFFERING_MAX) hour.snapshotsAgreed++
  }

  /** Ticks of the best prices that the row says; -1 and 10,001 for an empty side, NaN where it says none. */
  best(hour: HourQuality, book: RowBook, bid: number, ask: number): void {
    if (!book.isEstablished || Number.isNaN(bid) || Number.isNaN(ask)) return
    hour.bestPricesChecked++
    if (book.bestBid === bid && book.bestAsk === ask) hour.bestPricesAgreed++
  }
}

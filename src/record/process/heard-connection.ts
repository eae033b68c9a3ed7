// Follows the lines of one connection, in order, as far as needed to know until when each of its books was complete.
// Pure.

import type { Venue } from '../../../storage/venue.ts'
import { isObject, type JsonObject } from '../../../workers/venues/described-message.ts'
import type { Heard } from '../connection/gap-tracker.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import { objectsIn, parsedObject } from '../discovery/json-values.ts'

/** Null while it goes on. */
type BookHeard = { untilMs: number | null }

export class HeardConnection {
  readonly #venue: Venue
  /** Carried, with or without a snapshot. */
  readonly #carried = new Set<BookId>()
  /** Of which a snapshot came. */
  readonly #books = new Map<BookId, BookHeard>()
  readonly #markets = new Map<BookId, string>()
  #lastMs = 0
  #segments = 0
  /** A frame or an opening of the segment was read. */
  #isBegun = false

  constructor(venue: Venue) {
    this.#venue = venue
  }

  /** A segment of it follows. */
  begin(): void {
    this.#segments++
    this.#isBegun = false
  }

  read(line: string): void {
    if (line.startsWith('{"backbook":')) return this.#control(parsedObject(line))
    const receivedNs = /^\{"recv_ns":(\d+),/.exec(line)?.[1]
    if (receivedNs === undefined) return
    if (!this.#isBegun) this.#goOn()
    if (this.#hasNews(line)) this.#frame(parsedObject(line))
    this.#lastMs = Number(receivedNs) / 1e6
  }

  /** Until when each book was complete, Unix ms. */
  heard(): [BookId, Heard][] {
    return [...this.#books].flatMap(([book, { untilMs }]): [BookId, Heard][] => {
      const market = this.#venue === 'kalshi' ? book : this.#markets.get(book)
      return market === undefined || this.#lastMs === 0 ? [] : [[book, { market, untilMs: untilMs ?? this.#lastMs }]]
    })
  }

  /** A snapshot, or the market of a token that is not known. */
  #hasNews(line: string): boolean {
    if (line.includes('"source":"rest"')) return true
    if (this.#venue === 'kalshi') return line.includes('orderbook_snapshot')
    return line.includes('\\"book\\"') || this.#markets.size < this.#carried.size
  }

  #control(line: JsonObject | undefined): void {
    if (line?.['backbook'] === 'overflow') return this.#cut()
    if (line?.['backbook'] !== 'state') return
    const books = Array.isArray(line['books']) ? line['books'].map(String) : []
    switch (line['state']) {
      case 'carries':
        for (const book of books) this.#carried.add(book)
        break
      case 'open':
        this.#isBegun = true
        // Connections of a recorder that is started again have the same names.
        return this.#cut()
      case 'drops':
        for (const book of books) {
          this.#carried.delete(book)
          this.#books.delete(book)
        }
        break
      case 'sequence_hole':
      case 'subscription_ended':
        return this.#cut()
    }
  }

  /** The segment before it is not known: all that is carried is taken for complete. */
  #goOn(): void {
    this.#isBegun = true
    if (this.#segments === 1) for (const book of this.#carried) this.#established(book)
  }

  /** From here on nothing is complete until a snapshot comes. */
  #cut(): void {
    for (const book of this.#books.values()) book.untilMs ??= this.#lastMs
  }

  #frame(line: JsonObject | undefined): void {
    const { raw, ticker } = line ?? {}
    if (typeof raw !== 'string') return
    let parsed: unknown
    try {
      parsed = JSON.parse(raw)
    } catch {
      return
    }
    if (this.#venue === 'kalshi') return this.#kalshi(parsed, ticker)
    for (const message of Array.isArray(parsed) ? objectsIn(parsed) : objectsIn([parsed])) this.#polymarket(message)
  }

  #kalshi(message: unknown, ticker: unknown): void {
    if (typeof ticker === 'string') return this.#established(ticker)
    const msg = isObject(message) && message['type'] === 'orderbook_snapshot' ? message['msg'] : undefined
    if (isObject(msg) && typeof msg['market_ticker'] === 'string') this.#established(msg['market_ticker'])
  }

  /** A snapshot has its levels, by REST or not. */
  #polymarket(message: JsonObject): void {
    const { market, asset_id: token, bids, price_changes: changes } = message
    if (typeof market !== 'string') return
    for (const book of [token, ...objectsIn(changes).map((each) => each['asset_id'])]) {
      if (typeof book === 'string' && this.#carried.has(book)) this.#markets.set(book, market)
    }
    if (Array.isArray(bids) && typeof token === 'string') this.#established(token)
  }

  #established(book: BookId): void {
    if (this.#carried.has(book)) this.#books.set(book, { untilMs: null })
  }
}

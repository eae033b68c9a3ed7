// Polymarket's market channel on one open socket: subscribes, and reports to the connection what frames mean.

import type { AuditResult } from '../../../../storage/finding/audits.ts'
import type { Levels } from '../../audit/audited-book.ts'
import type { AuditedSession } from '../../audit/auditor.ts'
import type { BookId, FrameStamp, Link, ProtocolSession } from '../../connection/venue-protocol.ts'
import { type MarketMessage, messagesIn, type TokenNews } from './messages.ts'
import { type SubscriptionLimits, Subscriptions } from './subscriptions.ts'
import { readRestBook, TokenBook } from './token-book.ts'

/** Settings and services that the sessions of all sockets share. */
export interface VenueContext {
  readonly limits: SubscriptionLimits
  /** Whether sessions hold the levels of books, for audits. */
  readonly hasBooks: boolean
  /** Reports the condition id of a market that the venue mentions, whether or not the market is recorded. */
  hint(market: string, kind: 'new' | 'over'): void
  closed(session: PolymarketSession): void
}

/** State of a token on this socket. */
type TokenState = {
  /** Whether this socket, or REST, has sent the book. If not, the connection may still have the book from another
   *  socket. */
  hasSnapshot: boolean
  /** Venue time of the last book or change, Unix ms; -Infinity before the first. */
  venueMs: number
  hash: string | undefined
  /** Empty until a message has named the market. */
  market: string
  book: TokenBook | undefined
}

const KNOWN_TYPES = new Set([
  ...['book', 'price_change', 'last_trade_price', 'tick_size_change', 'best_bid_ask'],
  ...['new_market', 'market_resolved'],
])

export class PolymarketSession implements ProtocolSession, AuditedSession {
  readonly #link: Link
  readonly #shared: VenueContext
  readonly #subscriptions: Subscriptions
  readonly #tokens = new Map<string, TokenState>()

  constructor(link: Link, shared: VenueContext) {
    this.#link = link
    this.#shared = shared
    this.#subscriptions = new Subscriptions(link, shared.limits)
  }

  add(books: readonly BookId[]): void {
    const added = books.filter((book) => !this.#tokens.has(book))
    for (const token of added) {
      this.#tokens.set(token, {
        ...{ hasSnapshot: false, venueMs: Number.NEGATIVE_INFINITY, hash: undefined, market: '' },
        book: this.#shared.hasBooks ? new TokenBook() : undefined,
      })
    }
    this.#subscriptions.add(added)
  }

  remove(books: readonly BookId[]): void {
    this.#subscriptions.remove(books.filter((book) => this.#tokens.delete(book)))
  }

  read(text: string, _stamp: FrameStamp): void {
    const messages = messagesIn(text)
    let isOurs = messages.length === 0
    for (const message of messages) if (this.#read(message)) isOurs = true
    if (!isOurs) this.#link.aside()
  }

  snapshotsMissing(books: readonly BookId[]): void {
    for (const book of books) {
      const state = this.#tokens.get(book)
      if (state !== undefined) state.hasSnapshot = false
    }
    this.#link.requestBooks(books)
  }

  due(nowMs: number): number {
    return this.#subscriptions.due(nowMs)
  }

  beginBook(token: BookId): boolean {
    return this.#tokens.get(token)?.hasSnapshot === false
  }

  /** Reads a book from REST. The body has the time of the book. Returns false for a book that is older than the
   *  socket's last message of the token, because that book would undo the message. */
  readBook(token: BookId, body: string, json: unknown): boolean {
    const state = this.#tokens.get(token)
    const book = readRestBook(json)
    if (state?.hasSnapshot !== false || book === undefined) return true
    const { market, venueMs, hash } = book
    if (book.token !== token || (state.hash !== hash && venueMs <= state.venueMs)) return false
    this.#link.snapshot(token, { market, by: 'rest_book', hash, venueMs })
    this.#link.rest(body)
    Object.assign(state, { hasSnapshot: true, venueMs, hash, market })
    state.book?.replace(book.json)
    return true
  }

  close(): void {
    this.#subscriptions.close()
    this.#tokens.clear()
    this.#shared.closed(this)
  }

  *known(): Generator<BookId> {
    for (const [token, { hasSnapshot, book }] of this.#tokens) if (hasSnapshot && book?.isKnown === true) yield token
  }

  watch(token: BookId): boolean {
    return this.#tokens.get(token)?.book?.watch() === true
  }

  conclude(token: BookId, restLevels: Levels | undefined): AuditResult | undefined {
    const { book, market = '' } = this.#tokens.get(token) ?? {}
    const result = book?.conclude(restLevels)
    if (result !== undefined) this.#link.audit(token, market, result)
    return result
  }

  /** Replaces the socket, because a book differs from the venue's: the socket no longer sends the changes of this
   *  book, and perhaps of others. Marks this book as lost since its last change. The other books are lost since the
   *  last data. */
  distrust(token: string): void {
    const { venueMs, book } = this.#tokens.get(token) ?? {}
    book?.forget()
    const since = venueMs !== undefined && Number.isFinite(venueMs) ? { sinceMs: venueMs } : {}
    this.#link.lost([token], { reason: 'resync', scope: 'book', ...since })
    this.#link.reconnect('silence', 'a book differs from that of REST')
  }

  /** Handles a message. Returns whether it is about recorded markets: the venue also sends messages about other markets
   *  to all subscribers. */
  #read(message: MarketMessage): boolean {
    const { type, market, venueMs, news } = message
    // A book has the time of its last change, not of the message.
    if (type === 'book') this.#link.data(Number.NaN, venueMs)
    else this.#link.data(venueMs)
    if (!KNOWN_TYPES.has(type)) this.#link.unknown(type === '' ? 'no event_type' : type)
    for (const each of news) this.#apply(each, market, venueMs)
    if (type === 'new_market') this.#shared.hint(market, 'new')
    if (type === 'market_resolved') this.#shared.hint(market, 'over')
    const isOfAll = type === 'new_market' || type === 'market_resolved'
    return !isOfAll || news.some(({ token }) => this.#tokens.has(token))
  }

  #apply({ token, kind, hash, parts }: TokenNews, market: string, venueMs: number): void {
    const state = this.#tokens.get(token)
    // A subscription to one token also sends messages about the other token of the market.
    if (state === undefined) return
    state.market = market
    if (kind === 'book') state.book?.replace(parts[0]!)
    if (kind === 'change') for (const entry of parts) state.book?.apply(entry)
    if (kind === 'book') {
      state.hasSnapshot = true
      this.#link.snapshot(token, { market, by: 'snapshot', venueMs, ...(hash === undefined ? {} : { hash }) })
    } else this.#link.changed(token, market, hash)
    if (kind === 'other') return
    state.venueMs = venueMs
    state.hash = hash
  }
}

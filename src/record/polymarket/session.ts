// Polymarket's market channel on one open socket: subscribes, and reports to the connection what frames mean.

import { AuditWindow } from '../audit/audit-window.ts'
import type { BookId, FrameStamp, Link, ProtocolSession } from '../connection/venue-protocol.ts'
import type { RestHost } from '../rest/rest-host.ts'
import type { AuditResult } from '../status/recorder-figures.ts'
import { type MarketMessage, messagesIn, type TokenNews } from './messages.ts'
import type { RestBook } from './rest-book.ts'
import { RestResync } from './rest-resync.ts'
import { type SubscriptionLimits, Subscriptions } from './subscriptions.ts'
import { levelsIn, TokenBook } from './token-book.ts'

/** Settings and services that the sessions of all sockets share. */
export interface SessionSurroundings {
  readonly limits: SubscriptionLimits
  /** Null if REST is not used. */
  readonly rest: Pick<RestHost, 'get'> | null
  /** Whether sessions hold the levels of books, for audits. */
  readonly keepsBooks: boolean
  /** Reports a market that the venue mentions, by its condition id, recorded or not. */
  hint(market: string, kind: 'new' | 'over'): void
  closed(session: PolymarketSession): void
}

/** State of a token on this socket. */
type TokenState = {
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

export class PolymarketSession implements ProtocolSession {
  readonly #link: Link
  readonly #shared: SessionSurroundings
  readonly #subscriptions: Subscriptions
  readonly #resync: RestResync | undefined
  readonly #tokens = new Map<string, TokenState>()
  readonly #windows = new Map<string, AuditWindow>()

  constructor(link: Link, shared: SessionSurroundings) {
    this.#link = link
    this.#shared = shared
    const { limits, rest } = shared
    this.#subscriptions = new Subscriptions((command) => void link.send(command), link.timers, limits)
    if (rest === null || link.isReplay) return
    this.#resync = new RestResync({
      rest,
      timers: link.timers,
      isWaiting: (token) => this.#tokens.get(token)?.hasSnapshot === false,
      isBehind: (book) => this.#isBehind(book),
      take: (book, body) => this.#takeRest(book, body),
      note: (name, fields) => link.state(name, fields),
    })
  }

  add(books: readonly BookId[]): void {
    for (const book of books) {
      if (this.#tokens.has(book)) continue
      const heard = { venueMs: Number.NEGATIVE_INFINITY, hash: undefined, market: '' }
      this.#tokens.set(book, {
        ...heard,
        hasSnapshot: false,
        book: this.#shared.keepsBooks ? new TokenBook() : undefined,
      })
    }
    this.#subscriptions.add(books)
  }

  remove(books: readonly BookId[]): void {
    for (const book of books) {
      this.#tokens.delete(book)
      this.#windows.get(book)?.broken()
    }
    this.#subscriptions.remove(books)
  }

  read(text: string, _stamp: FrameStamp): void {
    const messages = messagesIn(text)
    let isOurs = messages.length === 0
    for (const message of messages) if (this.#read(message)) isOurs = true
    if (!isOurs) this.#link.aside()
  }

  ping(): void {
    this.#link.heartbeat('text', 'PING')
  }

  snapshotsMissing(books: readonly BookId[]): void {
    for (const book of books) {
      const state = this.#tokens.get(book)
      if (state !== undefined) state.hasSnapshot = false
    }
    this.#resync?.ask(books)
  }

  close(): void {
    this.#subscriptions.close()
    this.#resync?.close()
    this.#windows.clear()
    this.#shared.closed(this)
  }

  /** Yields the tokens whose book can be compared with REST now. */
  *known(): Generator<string> {
    for (const [token, { hasSnapshot, book }] of this.#tokens) if (hasSnapshot && book?.isKnown === true) yield token
  }

  /** Opens an audit window on a book. Returns false if the book is not known, or already watched. */
  watch(token: string): boolean {
    const book = this.#tokens.get(token)?.book
    if (book?.isKnown !== true || this.#windows.has(token)) return false
    this.#windows.set(token, new AuditWindow(book.levels))
    return true
  }

  /** Closes the audit window of a book. Returns the result; undefined if the socket was closed or the token removed
   *  meanwhile. */
  conclude(token: string, restBook: RestBook | undefined): AuditResult | undefined {
    const window = this.#windows.get(token)
    const market = this.#tokens.get(token)?.market
    this.#windows.delete(token)
    if (window === undefined || market === undefined) return undefined
    const result = window.result(restBook?.token === token ? levelsIn(restBook.said) : undefined)
    this.#link.audit(token, market, result)
    return result
  }

  /** Replaces the socket, because a book differs from the venue's: the socket no longer sends its changes, and perhaps
   *  others. Messages of this token may be missing since its last change, those of other tokens since the last data. */
  distrust(token: string): void {
    const { venueMs, book } = this.#tokens.get(token) ?? {}
    book?.forget()
    const since = venueMs !== undefined && Number.isFinite(venueMs) ? { sinceMs: venueMs } : {}
    this.#link.lost([token], { reason: 'resync', scope: 'book', ...since })
    this.#link.reconnect('silence', 'a book differs from that of REST')
  }

  /** Handles a message. Returns whether it is about recorded markets; messages to all subscribers about other markets
   *  are not. */
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

  #apply({ token, kind, hash, said }: TokenNews, market: string, venueMs: number): void {
    const state = this.#tokens.get(token)
    // A subscription to one token also sends messages about the other token of the market.
    if (state === undefined) return
    state.market = market
    if (state.book !== undefined) this.#follow(token, state.book, kind, said)
    if (kind === 'book') {
      state.hasSnapshot = true
      this.#link.snapshot(token, { market, by: 'snapshot', venueMs, ...(hash === undefined ? {} : { hash }) })
    } else this.#link.changed(token, market, hash)
    if (kind === 'other') return
    state.venueMs = venueMs
    state.hash = hash
  }

  #follow(token: string, book: TokenBook, kind: TokenNews['kind'], said: TokenNews['said']): void {
    if (kind === 'other') return
    const window = this.#windows.get(token)
    if (kind === 'book') {
      book.replace(said[0]!)
      if (book.isKnown) window?.replaced(book.levels)
      else window?.broken()
      return
    }
    for (const entry of said) {
      const price = book.apply(entry)
      if (price === undefined) window?.broken()
      else window?.changed(price, book.levels.get(price) ?? 0)
    }
  }

  #isBehind({ token, venueMs, hash }: RestBook): boolean {
    const state = this.#tokens.get(token)
    if (state === undefined || state.hash === hash) return false
    return venueMs <= state.venueMs
  }

  #takeRest({ token, market, venueMs, hash, said }: RestBook, body: string): void {
    const state = this.#tokens.get(token)
    if (state === undefined) return
    this.#link.snapshot(token, { market, by: 'rest_book', hash, venueMs })
    this.#link.rest(body)
    Object.assign(state, { hasSnapshot: true, venueMs, hash, market })
    if (state.book !== undefined) this.#follow(token, state.book, 'book', [said])
  }
}

// Polymarket's market channel on one open socket: subscribes, and tells the connection what frames mean.

import type { BookId, FrameStamp, Link, ProtocolSession } from '../connection/venue-protocol.ts'
import type { RestHost } from '../rest/rest-host.ts'
import { type MarketMessage, messagesIn, type TokenNews } from './messages.ts'
import type { RestBook } from './rest-book.ts'
import { RestResync } from './rest-resync.ts'
import { type SubscriptionLimits, Subscriptions } from './subscriptions.ts'

/** What the sessions of all sockets share. */
export interface SessionSurroundings {
  readonly limits: SubscriptionLimits
  /** Null: it is not asked. */
  readonly rest: Pick<RestHost, 'get'> | null
  /** The venue tells of a market, by its condition id, recorded or not. */
  hint(market: string, kind: 'new' | 'over'): void
  closed(session: PolymarketSession): void
}

/** What was said of a token on this socket. */
type TokenState = {
  hasSnapshot: boolean
  /** Of the last book or change: Unix ms, -Infinity before the first. */
  venueMs: number
  hash: string | undefined
}

const KNOWN_TYPES = new Set([
  ...['book', 'price_change', 'last_trade_price', 'tick_size_change', 'best_bid_ask'],
  ...['new_market', 'market_resolved'],
])

export class PolymarketSession implements ProtocolSession {
  readonly #link: Link
  readonly #around: SessionSurroundings
  readonly #subscriptions: Subscriptions
  readonly #resync: RestResync | undefined
  readonly #tokens = new Map<string, TokenState>()

  constructor(link: Link, around: SessionSurroundings) {
    this.#link = link
    this.#around = around
    const { limits, rest } = around
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
      this.#tokens.set(book, { hasSnapshot: false, venueMs: Number.NEGATIVE_INFINITY, hash: undefined })
    }
    this.#subscriptions.add(books)
  }

  remove(books: readonly BookId[]): void {
    for (const book of books) this.#tokens.delete(book)
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
    this.#around.closed(this)
  }

  /** Whether it is a record of what is recorded. News of other markets are none. */
  #read(message: MarketMessage): boolean {
    const { type, market, venueMs, news } = message
    this.#link.data(venueMs)
    if (!KNOWN_TYPES.has(type)) this.#link.unknown(type === '' ? 'no event_type' : type)
    for (const each of news) this.#tell(each, market, venueMs)
    if (type === 'new_market') this.#around.hint(market, 'new')
    if (type === 'market_resolved') this.#around.hint(market, 'over')
    const isOfAll = type === 'new_market' || type === 'market_resolved'
    return !isOfAll || news.some(({ token }) => this.#tokens.has(token))
  }

  #tell({ token, kind, hash }: TokenNews, market: string, venueMs: number): void {
    const state = this.#tokens.get(token)
    // The other token of a market comes along where one is subscribed.
    if (state === undefined) return
    if (kind === 'book') {
      state.hasSnapshot = true
      this.#link.snapshot(token, { market, by: 'snapshot', ...(hash === undefined ? {} : { hash }) })
    } else this.#link.changed(token, market, hash)
    if (kind === 'other') return
    state.venueMs = venueMs
    state.hash = hash
  }

  #isBehind({ token, venueMs, hash }: RestBook): boolean {
    const state = this.#tokens.get(token)
    if (state === undefined || state.hash === hash) return false
    return venueMs <= state.venueMs
  }

  #takeRest({ token, market, venueMs, hash }: RestBook, body: string): void {
    const state = this.#tokens.get(token)
    if (state === undefined) return
    this.#link.snapshot(token, { market, by: 'rest_book', hash })
    this.#link.rest(body)
    Object.assign(state, { hasSnapshot: true, venueMs, hash })
  }
}

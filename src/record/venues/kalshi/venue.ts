// Kalshi as the recorder sees it: its settings, its finder, and its protocol, which opens sessions on sockets and holds
// what all sessions share.

import type { Timers } from '../../../../storage/retry/timers.ts'
import { Auditor, SETTLE_MS } from '../../audit/auditor.ts'
import { selectsByDiscovery } from '../../config/venue-config.ts'
import type { BookId, BookSource, Link, VenueProtocol } from '../../connection/venue-protocol.ts'
import type { Handshake } from '../../connection/web-socket.ts'
import { FINDS_NOTHING, type OpenedVenue, type RecordedVenue } from '../../discovery/recorded-venue.ts'
import type { RestHost } from '../../rest/rest-host.ts'
import { msOf, type Random } from '../../time/clock.ts'
import type { Contradiction } from './book-evidence.ts'
import { USE_YES_PRICE } from './commands.ts'
import { type KalshiMessage, messagesIn } from './frame.ts'
import { KALSHI_SETTINGS, type KalshiConfig, kalshiConfig } from './kalshi-config.ts'
import { KalshiFinder } from './kalshi-finder.ts'
import { ORDERBOOKS_MAX, orderbookPath, orderbooksPath, readOrderbook, readOrderbooks } from './level-book.ts'
import { KalshiSession, type VenueContext } from './session.ts'

/** Pauses between requests for a market that was just announced: it may not be listed at once. */
const HYDRATION = { attempts: 5, fromMs: 2_000, toMs: 10_000 }

export const KALSHI: RecordedVenue<typeof KALSHI_SETTINGS, KalshiConfig> = {
  settings: KALSHI_SETTINGS,
  snapshotMarks: ['orderbook_snapshot'],
  snapshotBooks: (frame) =>
    (messagesIn(frame) ?? []).flatMap(({ type, market }) => (type === 'orderbook_snapshot' ? (market ?? []) : [])),
  configOf: kalshiConfig,
  open(config, { hostOf, clock, ...tools }): OpenedVenue {
    const signAt = config.sign
    const sign = signAt && ((url: string) => signAt(url, msOf(clock.wallNs())))
    const rest = hostOf(config.rest, sign)
    const protocol = new KalshiProtocol({ config, rest, sign, ...tools })
    return {
      protocol,
      // The first session receives the lifecycle of all markets, even while no market is recorded.
      listener: selectsByDiscovery(config.selection) ? protocol : null,
      finder: rest === null ? FINDS_NOTHING : new KalshiFinder(config, rest),
      named: config.tickers.map((ticker) => ({ venue: 'kalshi', market: ticker, books: [ticker] })),
      hydration: HYDRATION,
      isSigned: sign !== undefined,
    }
  },
}

/** Attempts to get a book from REST between two messages of the book. */
const BOOK_ATTEMPTS = 3

/** Hints for discovery, by event type of the lifecycle channel. They are sent for all markets, recorded or not. */
const HINTS = new Map<unknown, 'new' | 'over'>([
  ['created', 'new'],
  ['activated', 'new'],
  ['close_date_updated', 'over'],
  ['determined', 'over'],
  ['settled', 'over'],
])

type Config = Pick<KalshiConfig, 'wsUrl' | 'auditsPerSecond'> &
  Pick<KalshiConfig, 'perConnection' | 'subscribeChunk' | 'replyMs' | 'resyncMs'>

type KalshiOptions = {
  config: Config
  /** Null if REST is not used. */
  rest: Pick<RestHost, 'get'> | null
  /** Returns the headers that sign a request; undefined without a key. */
  sign?: ((url: string) => Record<string, string>) | undefined
  timers: Timers
  random: Random
  /** Reports a market that is new or may be over. Discovery requests it over REST. */
  hint?(market: string, kind: 'new' | 'over'): void
  /** Reports a book that contradicts itself. `found` is null if the book is sound again or no longer followed. */
  contradicted?(book: BookId, found: Contradiction | null): void
}

export class KalshiProtocol implements VenueProtocol {
  readonly venue = 'kalshi'
  readonly useYesPrice = USE_YES_PRICE
  readonly heartbeat = null
  readonly #options: KalshiOptions
  readonly #auditor: Auditor | undefined
  readonly bookSource: BookSource | null
  readonly #sessions = new Set<KalshiSession>()
  /** The session that subscribes to the lifecycle of all markets. */
  #lifecycle: KalshiSession | undefined
  readonly #silentBooks = new Set<BookId>()
  #booksMax: number

  constructor(options: KalshiOptions) {
    this.#options = options
    const { config, rest, timers, random } = options
    this.#booksMax = config.perConnection
    this.bookSource = rest && {
      rest,
      path: orderbookPath,
      isBook: (json) => readOrderbook(json) !== undefined,
      settleMs: SETTLE_MS,
      attempts: BOOK_ATTEMPTS,
      waitMs: () => 0,
    }
    if (rest === null || config.auditsPerSecond === 0) return
    this.#auditor = new Auditor({
      ...{ rest, booksPerSecond: config.auditsPerSecond, batchMax: ORDERBOOKS_MAX, comparisons: 1 },
      ...{ path: orderbooksPath, read: readOrderbooks, timers, random },
    })
  }

  get booksMax(): number {
    return this.#booksMax
  }

  handshake(): Handshake {
    const url = this.#options.config.wsUrl
    const headers = this.#options.sign?.(url) ?? {}
    return { url, headers, ifUnsigned: 'it is not signed: set kalshi.key_id and kalshi.private_key_file' }
  }

  isPlannedOutage(atMs: number): boolean {
    return isMaintenance(atMs)
  }

  open(link: Link): KalshiSession {
    // A replay sends the lifecycle of the connection's own markets only, so each of its sessions needs the channel.
    const hasLifecycle = link.isReplay || this.#lifecycle === undefined
    const session = new KalshiSession(link, this.#context(), hasLifecycle)
    if (!link.isReplay) this.#lifecycle ??= session
    this.#sessions.add(session)
    if (!link.isReplay) this.#auditor?.add(session)
    return session
  }

  #context(): VenueContext {
    const { config } = this.#options
    return {
      settings: { chunk: config.subscribeChunk, replyMs: config.replyMs, resyncMs: config.resyncMs },
      silentBooks: this.#silentBooks,
      halveLimit: () => {
        this.#booksMax = Math.max(1, Math.floor(this.#booksMax / 2))
        return this.#booksMax
      },
      contradicted: (book, found) => this.#options.contradicted?.(book, found),
      lifecycle: (message) => this.#readLifecycle(message),
      closed: (session) => this.#closed(session),
    }
  }

  #readLifecycle({ market, msg }: KalshiMessage): boolean {
    if (market === undefined) return false
    const session = this.#sessionOf(market)
    // When a pause of a market ends, the venue cancels resting orders and sends no delta for that. So this requests a
    // new snapshot.
    if (msg['event_type'] === 'activated') session?.distrust(market)
    const hint = HINTS.get(msg['event_type'])
    if (hint !== undefined) this.#options.hint?.(market, hint)
    return session !== undefined
  }

  #sessionOf(book: BookId): KalshiSession | undefined {
    for (const session of this.#sessions) if (session.books.has(book)) return session
    return undefined
  }

  #closed(session: KalshiSession): void {
    this.#sessions.delete(session)
    this.#auditor?.remove(session)
    if (this.#lifecycle === session) {
      this.#lifecycle = this.#sessions.values().next().value
      this.#lifecycle?.takeLifecycle()
    }
  }
}

const NEW_YORK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  weekday: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
})

/** Whether `atMs`, Unix ms, is in the weekly maintenance: on Thursday from 3 to 5, New York time. */
export function isMaintenance(atMs: number): boolean {
  const parts = NEW_YORK.formatToParts(atMs)
  const part = (type: string) => parts.find((each) => each.type === type)?.value
  return part('weekday') === 'Thu' && ['03', '04'].includes(part('hour') ?? '')
}

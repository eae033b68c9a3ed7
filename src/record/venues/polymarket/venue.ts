// Polymarket as the recorder sees it: its settings, its finder, and its protocol, which opens sessions on sockets and
// holds what all sessions share.

import type { Timers } from '../../../../storage/retry/timers.ts'
import { Auditor } from '../../audit/auditor.ts'
import { selectsByDiscovery } from '../../config/venue-config.ts'
import type { BookSource, Link, VenueProtocol } from '../../connection/venue-protocol.ts'
import type { Handshake } from '../../connection/web-socket.ts'
import { FINDS_NOTHING, type OpenedVenue, type RecordedVenue } from '../../discovery/recorded-venue.ts'
import type { RestHost } from '../../rest/rest-host.ts'
import type { Random } from '../../time/clock.ts'
import { messagesIn } from './messages.ts'
import { POLYMARKET_SETTINGS, type PolymarketConfig, polymarketConfig } from './polymarket-config.ts'
import { PolymarketFinder } from './polymarket-finder.ts'
import { PolymarketSession, type VenueContext } from './session.ts'
import { bookPath, readRestBook, restLevels } from './token-book.ts'

/** Pauses between requests for a new market: it may have no tokens for minutes. */
const HYDRATION = { attempts: 12, fromMs: 5_000, toMs: 15_000 }

export const POLYMARKET: RecordedVenue<typeof POLYMARKET_SETTINGS, PolymarketConfig> = {
  settings: POLYMARKET_SETTINGS,
  snapshotMarks: ['\\"bids\\"'],
  snapshotBooks(frame) {
    try {
      const news = messagesIn(frame).flatMap((message) => message.news)
      return news.filter(({ kind }) => kind === 'book').map(({ token }) => token)
    } catch {
      return []
    }
  },
  configOf: polymarketConfig,
  open(config, { hostOf, timers, random, hint }): OpenedVenue {
    const gamma = hostOf(config.gamma)
    const protocol = { config, rest: hostOf(config.clob), hint, timers, random }
    return {
      protocol: new PolymarketProtocol({ ...protocol, listens: false }),
      listener: selectsByDiscovery(config.selection) ? new PolymarketProtocol({ ...protocol, listens: true }) : null,
      finder: gamma === null ? FINDS_NOTHING : new PolymarketFinder(config, gamma),
      // The markets of these tokens are not known.
      named: config.assetIds.map((token) => ({ venue: 'polymarket', market: null, books: [token] })),
      hydration: HYDRATION,
      isSigned: null,
    }
  },
}

type PolymarketOptions = {
  config: Pick<PolymarketConfig, 'wsUrl' | 'perConnection' | 'subscribeChunk' | 'connectStaggerMs' | 'auditsPerSecond'>
  /** CLOB; null if it is not used. */
  rest: Pick<RestHost, 'get'> | null
  /** Whether sockets also subscribe to messages about all markets of the venue. */
  listens: boolean
  hint(market: string, kind: 'new' | 'over'): void
  timers: Timers
  random: Random
}

/** Attempts to get a book from REST that is not behind the socket, and the pause between the first two. */
const BOOK_ATTEMPTS = 5
const BOOK_AGAIN_MS = 250

export class PolymarketProtocol implements VenueProtocol {
  readonly venue = 'polymarket'
  readonly useYesPrice = null
  readonly heartbeat = 'PING'
  readonly #options: PolymarketOptions
  readonly #auditor: Auditor | undefined
  readonly bookSource: BookSource | null

  constructor(options: PolymarketOptions) {
    this.#options = options
    const { config, rest, listens, timers, random } = options
    this.bookSource = rest && {
      rest,
      path: bookPath,
      isBook: (json) => readRestBook(json) !== undefined,
      settleMs: 0,
      attempts: BOOK_ATTEMPTS,
      waitMs: (failures) => BOOK_AGAIN_MS * 2 ** failures,
    }
    if (rest === null || listens || config.auditsPerSecond === 0) return
    this.#auditor = new Auditor({
      ...{ rest, booksPerSecond: config.auditsPerSecond, batchMax: 1, comparisons: 2 },
      ...{ path: ([token]) => bookPath(token!), read: restLevels, timers, random },
    })
  }

  get booksMax(): number {
    return this.#options.config.perConnection
  }

  handshake(): Handshake {
    return { url: this.#options.config.wsUrl, headers: {} }
  }

  /** Returns false: the venue announces no maintenance. */
  isPlannedOutage(): boolean {
    return false
  }

  open(link: Link): PolymarketSession {
    const session = new PolymarketSession(link, this.#context())
    if (!link.isReplay) this.#auditor?.add(session)
    return session
  }

  #context(): VenueContext {
    const { config, listens, hint } = this.#options
    return {
      limits: { chunk: config.subscribeChunk, pauseMs: config.connectStaggerMs, listens },
      hint: (market, kind) => hint(market, kind),
      hasBooks: this.#auditor !== undefined,
      closed: (session) => this.#auditor?.remove(session),
    }
  }
}

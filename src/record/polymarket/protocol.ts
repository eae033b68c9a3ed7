// Polymarket's implementation of `VenueProtocol`: opens sessions on sockets, and holds what all sessions share.

import type { Timers } from '../../../storage/retry/timers.ts'
import type { PolymarketConfig } from '../config/record-config.ts'
import type { Random } from '../connection/clock.ts'
import type { Link, VenueProtocol } from '../connection/venue-protocol.ts'
import type { Handshake } from '../connection/web-socket.ts'
import type { RestHost } from '../rest/rest-host.ts'
import { PolymarketAuditor } from './auditor.ts'
import { PolymarketSession, type SessionSurroundings } from './session.ts'

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

export class PolymarketProtocol implements VenueProtocol {
  readonly venue = 'polymarket'
  readonly useYesPrice = null
  readonly #options: PolymarketOptions
  readonly #sessions = new Set<PolymarketSession>()
  readonly #auditor: PolymarketAuditor | undefined

  constructor(options: PolymarketOptions) {
    this.#options = options
    const { config, rest, listens, timers, random } = options
    if (rest === null || listens || config.auditsPerSecond === 0) return
    const sessions = () => this.#sessions
    this.#auditor = new PolymarketAuditor({ rest, booksPerSecond: config.auditsPerSecond, timers, random, sessions })
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
    const session = new PolymarketSession(link, this.#surroundings())
    this.#sessions.add(session)
    if (!link.isReplay) this.#auditor?.start()
    return session
  }

  #surroundings(): SessionSurroundings {
    const { config, rest, listens, hint } = this.#options
    return {
      limits: { chunk: config.subscribeChunk, pauseMs: config.connectStaggerMs, listens },
      rest,
      hint: (market, kind) => hint(market, kind),
      keepsBooks: this.#auditor !== undefined,
      closed: (session) => {
        this.#sessions.delete(session)
        if (this.#sessions.size === 0) this.#auditor?.stop()
      },
    }
  }
}

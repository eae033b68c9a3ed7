// What the recorder needs from a venue: its settings, its protocol, and the finder of its markets.

import type { Static, TObject } from '@sinclair/typebox'
import type { Timers } from '../../../storage/retry/timers.ts'
import type { ConnectionConfig, Origin, RestConfig } from '../config/venue-config.ts'
import type { BookId, VenueProtocol, WantedMarket } from '../connection/venue-protocol.ts'
import type { RestHost } from '../rest/rest-host.ts'
import type { Contradicted } from '../status/contradicted-books.ts'
import type { Clock, Random } from '../time/clock.ts'
import type { FoundMarket } from './known-markets.ts'
import type { HydrationPauses } from './request-times.ts'

export interface RecordedVenue<Settings extends TObject = TObject, Config extends ConnectionConfig = ConnectionConfig> {
  /** The settings of the venue's section in record.toml. */
  readonly settings: Settings
  /** Texts that every line with a snapshot contains. Other lines of a segment may contain them too. */
  readonly snapshotMarks: readonly string[]
  /** Returns the books of the snapshots in a frame. */
  snapshotBooks(frame: string): BookId[]
  /** Builds the configuration from the section. Throws ConfigError if settings contradict each other. */
  configOf(values: Static<Settings>, origin: Origin): Config
  /** Makes the objects that connect to the venue. Opens no connection and sends no request. */
  open(config: Config, tools: VenueTools): OpenedVenue
}

export type VenueTools = {
  clock: Clock
  timers: Timers
  random: Random
  /** Returns a client of a REST server; null if `rest` is null. `sign` returns the headers that sign a request. */
  hostOf(rest: RestConfig | null, sign?: (url: string) => Record<string, string>): RestHost | null
  /** Reports a market that is new or may be over. Discovery requests the market over REST. */
  hint(market: string, kind: 'new' | 'over'): void
  /** Reports a book that contradicts itself. `found` says why; null if the book is sound again or no longer
   *  followed. */
  contradicted(book: BookId, found: Contradicted | null): void
}

export type OpenedVenue = {
  /** The protocol of the connections that record markets. */
  protocol: VenueProtocol
  /** The protocol of the session that receives messages about all markets; null if none is needed. */
  listener: VenueProtocol | null
  finder: VenueFinder
  /** Markets whose ids are in the configuration. They are recorded without discovery. */
  named: readonly WantedMarket[]
  /** Pauses between requests for a market that was announced and is not listed completely yet. */
  hydration: HydrationPauses
  /** Whether handshakes are signed; null if the venue has no signatures. */
  isSigned: boolean | null
}

/** The interface between discovery and a venue's REST. Every request may reject with RestError or CircleError. */
export interface VenueFinder {
  /** Lists all selected markets. Returns the ids of the listed markets. */
  scan(desk: FinderDesk): Promise<Set<string>>
  /** Finds markets that were created since `sinceMs`, Unix ms. May leave out markets that were created before. */
  newest(desk: FinderDesk, sinceMs: number): Promise<void>
  /** Finds out which known markets are over by now. */
  over(desk: FinderDesk, sinceMs: number): Promise<void>
  /** Requests these markets. Returns those that need no further request. */
  ask(desk: FinderDesk, markets: readonly string[], isOver: boolean): Promise<Set<string>>
  /** Requests the metadata of the named markets, for the store. */
  describeNamed(desk: FinderDesk): Promise<void>
  /** Returns the pause until `newest` should be called again, ms. */
  pauseMs(desk: FinderDesk): number
}

/** The interface through which a finder reads from discovery and passes markets to it. */
export interface FinderDesk {
  readonly signal: AbortSignal
  readonly nowMs: () => number
  readonly known: {
    readonly size: number
    get(market: string): { closesMs: number | null; overMs: number | null } | undefined
    all(): Iterable<{ market: string; closesMs: number | null; overMs: number | null }>
  }
  /** Passes selected markets with the body that lists them. The body is stored if it has news. */
  found(markets: readonly FoundMarket[], body: { body: string; receivedNs: bigint }): void
  /** Passes named markets with the body that describes them. The body is stored if it has news. */
  described(markets: readonly { market: string; said: string }[], body: { body: string; receivedNs: bigint }): void
  /** Schedules another request for a market whose description is not complete yet. */
  again(market: string): void
}

/** The finder of a venue without REST. */
export const FINDS_NOTHING: VenueFinder = {
  scan: async () => new Set(),
  newest: async () => undefined,
  over: async () => undefined,
  ask: async () => new Set(),
  describeNamed: async () => undefined,
  pauseMs: () => Number.POSITIVE_INFINITY,
}

// What the recorder needs from a venue: its settings, its protocol, and the finder of its markets.

import type { Static, TObject } from '@sinclair/typebox'
import type { Timers } from '../../../storage/retry/timers.ts'
import type { ConnectionConfig, Origin, RestConfig } from '../config/venue-config.ts'
import type { BookId, VenueProtocol } from '../connection/venue-protocol.ts'
import type { RestHost } from '../rest/rest-host.ts'
import type { Contradicted } from '../status/contradicted-books.ts'
import type { Clock, Random } from '../time/clock.ts'
import type { HydrationPauses } from './request-times.ts'
import type { VenueFinder } from './venue-finder.ts'

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
  /** Returns a client of a REST server; null if it is not used. `sign` returns the headers that sign a request. */
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
  /** Pauses between requests for a market that was announced and is not listed completely yet. */
  hydration: HydrationPauses
  /** Whether handshakes are signed; null if the venue has no signatures. */
  isSigned: boolean | null
}

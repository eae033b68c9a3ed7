// Builds the protocol, REST hosts, connections and limits of each configured venue.

import type { Timers } from '../../../storage/retry/timers.ts'
import { VENUES, type Venue } from '../../../storage/venue.ts'
import type { ConnectionConfig } from '../config/venue-config.ts'
import { ConnectPacer } from '../connection/attempts.ts'
import type { LastSeen } from '../connection/gap-tracker.ts'
import type { BookId, VenueProtocol } from '../connection/venue-protocol.ts'
import type { OpenSocket } from '../connection/web-socket.ts'
import type { FoundVenue } from '../discovery/start-discovery.ts'
import { RestHost } from '../rest/rest-host.ts'
import type { OpenSegment } from '../segments/hourly-segment.ts'
import { ContradictedBooks } from '../status/contradicted-books.ts'
import type { RecorderFigures } from '../status/recorder-figures.ts'
import type { Clock, Random } from '../time/clock.ts'
import type { RecordConfig } from '../venues/read-record-config.ts'
import { RECORDED } from '../venues/venues.ts'
import { VenueConnections } from './venue-connections.ts'

type RecorderLog = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export type VenueSetOptions = {
  config: RecordConfig
  figures: RecorderFigures
  log: RecorderLog
  endsWithVenues: boolean
  clock: Clock
  timers: Timers
  random: Random
  openSocket: OpenSocket
  openSegment: OpenSegment
  /** False while no new markets may be taken. */
  hasRoom(): boolean
  takeLastSeen(venue: Venue, book: BookId): LastSeen | undefined
  hint(venue: Venue, market: string, kind: 'new' | 'over'): void
  /** Reports that a venue refuses connections and none was ever open. */
  refused(because: string): void
}

export type VenueSet = {
  found: readonly FoundVenue[]
  connections: ReadonlyMap<Venue, VenueConnections>
}

export function openVenues(options: VenueSetOptions): VenueSet {
  const { config, clock, timers, random } = options
  const found: FoundVenue[] = []
  const connections = new Map<Venue, VenueConnections>()
  for (const venue of VENUES) {
    const of = config[venue]
    if (of === null) continue
    const { discovery } = options.figures.venues[venue]
    const warn: RecorderLog['warn'] = (fields, message) => options.log.warn(fields, message)
    const contradicted = new ContradictedBooks(venue, options.figures, warn)
    const { protocol, listener, ...finding } = RECORDED[venue].open(of, {
      ...{ clock, timers, random },
      hostOf: (rest, sign) =>
        rest && new RestHost(rest, { clock, timers, random, figures: discovery, ...(sign && { sign }) }),
      hint: (market, kind) => options.hint(venue, market, kind),
      contradicted: (book, reason) => contradicted.set(book, reason),
    })
    const opened = connectionsOf(protocol, of, options)
    if (listener !== null) opened.listen(listener)
    connections.set(venue, opened)
    found.push({ config: of, ...finding })
  }
  return { found, connections }
}

function connectionsOf(
  protocol: VenueProtocol,
  config: ConnectionConfig,
  { figures, log, endsWithVenues, clock, timers, random, openSocket, openSegment, ...options }: VenueSetOptions,
): VenueConnections {
  const { venue } = protocol
  return new VenueConnections({
    protocol,
    connectionsMax: config.connectionsMax,
    figures: figures.venues[venue],
    hasRoom: () => options.hasRoom(),
    takeLastSeen: (book) => options.takeLastSeen(venue, book),
    connection: {
      ...{ openSocket, openSegment, clock, timers, random },
      limits: config,
      pacer: new ConnectPacer(config.connectStaggerMs),
      endsWithVenue: endsWithVenues,
    },
    log: (level, message, fields) => log[level](fields, message),
    refused: (because) => options.refused(because),
    problems: figures.problems,
  })
}

const LOOK_MS_MIN = 10
const LOOK_MS_MAX = 1_000

/** Returns the pause between checks of the connections, ms: a quarter of the shortest deadline, but from 10 ms to 1
 *  s. */
export function lookEveryMs(configs: readonly ConnectionConfig[]): number {
  const deadlines = configs.flatMap(({ pingMs, pongMs, snapshotMs }) => [pingMs, pongMs, snapshotMs])
  return Math.max(LOOK_MS_MIN, Math.min(LOOK_MS_MAX, ...deadlines.map((ms) => ms / 4)))
}

// Builds the protocol, REST hosts, connections and limits of each configured venue.

import type { Timers } from '../../../storage/retry/timers.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { RecordConfig } from '../config/read-record-config.ts'
import { type ConnectionConfig, selectsByDiscovery } from '../config/venue-config.ts'
import { ConnectPacer } from '../connection/attempts.ts'
import type { LastSeen } from '../connection/gap-tracker.ts'
import type { BookId, VenueProtocol } from '../connection/venue-protocol.ts'
import type { OpenSocket } from '../connection/web-socket.ts'
import type { DiscoveryHosts } from '../discovery/start-discovery.ts'
import { KalshiProtocol } from '../kalshi/protocol.ts'
import { kalshiSigner } from '../kalshi/signature.ts'
import { PolymarketProtocol } from '../polymarket/protocol.ts'
import { RestHost } from '../rest/rest-host.ts'
import type { OpenSegment } from '../segments/hourly-segment.ts'
import { ContradictedBooks } from '../status/contradicted-books.ts'
import type { RecorderFigures } from '../status/recorder-figures.ts'
import { type Clock, msOf, type Random } from '../time/clock.ts'
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

export type VenueSet = { hosts: DiscoveryHosts; connections: ReadonlyMap<Venue, VenueConnections> }

export function openVenues(options: VenueSetOptions): VenueSet {
  const { config, clock, timers, random, hint } = options
  const { polymarket, kalshi } = config
  const connections = new Map<Venue, VenueConnections>()
  const signer = kalshi?.signing ? kalshiSigner(kalshi.signing) : undefined
  const signed = { sign: (url: string) => signer?.({ method: 'GET', url, atMs: msOf(clock.wallNs()) }) ?? {} }
  const hostOf = (venue: Venue, rest: ConstructorParameters<typeof RestHost>[0] | null | undefined) => {
    const { discovery } = options.figures.venues[venue]
    const sign = venue === 'kalshi' ? signed : {}
    return rest ? new RestHost(rest, { clock, timers, random, figures: discovery, ...sign }) : null
  }
  const hosts = { gamma: hostOf('polymarket', polymarket?.gamma), kalshi: hostOf('kalshi', kalshi?.rest) }
  if (polymarket !== null) {
    const rest = hostOf('polymarket', polymarket.clob)
    const ofMarket = (market: string, kind: 'new' | 'over') => hint('polymarket', market, kind)
    const protocol = { config: polymarket, rest, hint: ofMarket, timers, random }
    const ofMarkets = new PolymarketProtocol({ ...protocol, listens: false })
    const opened = connectionsOf(ofMarkets, polymarket, options)
    if (selectsByDiscovery(polymarket.selection)) opened.listen(new PolymarketProtocol({ ...protocol, listens: true }))
    connections.set('polymarket', opened)
  }
  if (kalshi !== null) {
    const warn: RecorderLog['warn'] = (fields, message) => options.log.warn(fields, message)
    const contradicted = new ContradictedBooks('kalshi', options.figures, warn)
    const protocol = new KalshiProtocol({
      ...{ config: kalshi, rest: hosts.kalshi, clock, timers, random },
      hint: (market, kind) => hint('kalshi', market, kind),
      contradicted: (book, found) => contradicted.set(book, found),
    })
    const opened = connectionsOf(protocol, kalshi, options)
    // The first session receives the lifecycle of all markets, even while no market is recorded.
    if (selectsByDiscovery(kalshi.selection)) opened.listen(protocol)
    connections.set('kalshi', opened)
  }
  return { hosts, connections }
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

/** Returns how often connections are checked, ms: four times within their shortest deadline, from 10 ms to 1 s. */
export function lookEveryMs(configs: readonly ConnectionConfig[]): number {
  const deadlines = configs.flatMap(({ pingMs, pongMs, snapshotMs }) => [pingMs, pongMs, snapshotMs])
  return Math.max(LOOK_MS_MIN, Math.min(LOOK_MS_MAX, ...deadlines.map((ms) => ms / 4)))
}

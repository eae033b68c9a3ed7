// A recorder as it runs in production, except for its sockets and its disk: it takes the markets of its share, records
// them, and stores them, until the venue has sent everything.

import type { Share } from '../../../src/record/config/record-settings.ts'
import { ConnectPacer } from '../../../src/record/connection/attempts.ts'
import type { WantedMarket } from '../../../src/record/connection/venue-protocol.ts'
import { LastSeenBooks } from '../../../src/record/last-seen/last-seen-books.ts'
import { MarketIntake } from '../../../src/record/run/market-intake.ts'
import { VenueConnections } from '../../../src/record/run/venue-connections.ts'
import { RecorderStats } from '../../../src/record/status/recorder-stats.ts'
import type { Clock } from '../../../src/record/time/clock.ts'
import { KalshiProtocol } from '../../../src/record/venues/kalshi/venue.ts'
import { recordConfigOf } from '../../../src/record/venues/read-record-config.ts'
import type { Timers } from '../../../storage/retry/timers.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import type { Workplace } from '../cluster.ts'
import type { World } from '../world.ts'
import type { Disk } from './disk.ts'
import { DiskLoading } from './loading.ts'
import type { SendingVenue } from './venue.ts'

const EVERY_MS = 1_000
const GIVE_UP_MS = 60_000
const STAGGER_MS = 100
const NS_PER_MS = 1_000_000

const given = { kalshi: { ws_url: 'ws://venue.example', tickers: ['KXREC-0'], audits_per_second: 0 } }
const CONFIG = recordConfigOf(given, { folder: '/', variables: {}, name: 'record.toml' }).kalshi!

export type RecorderOf = {
  world: World
  venue: SendingVenue
  isOver: () => boolean
  share: Share | null
  disk: Disk
  random: Random
}

/** Runs a recorder. Resolves once it has ended in an orderly way. */
export async function record({ world, venue, isOver, share, disk, random }: RecorderOf, at: Workplace) {
  const { process } = at
  const clock: Clock = {
    wallNs: () => BigInt(Math.round((world.nowMs + process.skewMs) * NS_PER_MS)),
    monoNs: () => BigInt(world.nowMs * NS_PER_MS),
  }
  const timers: Timers = { after: (ms, action) => world.timer(process, ms, action) }
  const draw = () => random.fraction()
  const store = at.openStore({ listens: false, isEachCallChecked: true })
  const stats = new RecorderStats(world.nowMs)
  const loading = new DiskLoading(world, at, store, disk)
  const nowNs = () => clock.wallNs()
  const openSegment = disk.opens(loading, nowNs)
  const memory = new LastSeenBooks(disk.lastSeen(), openSegment, nowNs)
  memory.begin()
  const protocol = new KalshiProtocol({ config: CONFIG, rest: null, timers, random: draw })
  const connections = new VenueConnections({
    protocol,
    connectionsMax: 100,
    stats: stats.venues.kalshi,
    hasRoom: () => true,
    takeLastSeen: (book) => memory.take('kalshi', book),
    connection: {
      ...{ clock, timers, random: draw, openSocket: venue.socketsOf(process) },
      openSegment,
      limits: CONFIG,
      pacer: new ConnectPacer(STAGGER_MS),
      endsWithVenue: false,
    },
    warn: (_, message) => world.note(`${process.name}: ${message}`),
    refused: (because) => world.note(`${process.name}: ${because}`),
    problems: stats.problems,
  })
  const flush = () => {
    const [failure] = connections.flush()
    if (failure !== undefined) throw failure
  }
  const intake = new MarketIntake({
    ...{ share, connections: new Map([['kalshi', connections]]), memory, loading },
    isReplay: () => false,
  })
  intake.want(venue.markets.map((market): WantedMarket => ({ venue: 'kalshi', market, books: [market] })))
  loading.start()
  let isPlaced = false
  while (!isOver()) {
    await world.sleep(process, EVERY_MS)
    connections.check()
    flush()
    if (!isPlaced && intake.isSettled && connections.isSettled) memory.placed()
    isPlaced ||= intake.isSettled && connections.isSettled
  }
  intake.stop()
  connections.stop()
  flush()
  const untilMs = world.nowMs + GIVE_UP_MS
  while (!(await loading.stop()) && world.nowMs < untilMs) await world.sleep(process, EVERY_MS)
}

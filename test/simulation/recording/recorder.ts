// A recorder of a group as it runs in production, but for its sockets and its disk: it takes shards, records their
// markets, and stores them under its leases, until the venue has said all.

import { recordConfigOf } from '../../../src/record/config/read-record-config.ts'
import { ConnectPacer } from '../../../src/record/connection/connect-pacer.ts'
import type { Clock, Timers } from '../../../src/record/connection/time.ts'
import { KalshiProtocol } from '../../../src/record/kalshi/protocol.ts'
import { connectionLimits, kalshiLiveness } from '../../../src/record/run/connection-settings.ts'
import { VenueConnections } from '../../../src/record/run/venue-connections.ts'
import { Shards } from '../../../src/record/sharing/shards.ts'
import { PACE } from '../../../src/record/sharing/sharing.ts'
import { RecorderFigures } from '../../../src/record/status/recorder-figures.ts'
import type { Leases } from '../../../storage/cluster/leases/leases.ts'
import type { Random } from '../../../workers/synthetic/random.ts'
import type { Workplace } from '../cluster.ts'
import type { World } from '../world.ts'
import type { Disk } from './disk.ts'
import { DiskLoading } from './loading.ts'
import type { TalkingVenue } from './venue.ts'

const EVERY_MS = 1_000
const GIVE_UP_MS = 60_000
const STAGGER_MS = 100
const NS_PER_MS = 1_000_000

const given = { kalshi: { ws_url: 'ws://venue.example', tickers: ['KXREC-0'], audits_per_second: 0 } }
const FULL = recordConfigOf(given, { folder: '/', variables: {}, name: 'record.toml' }).kalshi!
const CONFIG = { ...FULL, maintenance: null }

export type RecorderOf = {
  world: World
  venue: TalkingVenue
  isOver: () => boolean
  group: string
  holder: string
  leases: Leases
  disk: Disk
  random: Random
}

/** Resolves once it has ended in an orderly way. */
export async function record({ world, venue, isOver, group, holder, leases, disk, random }: RecorderOf, at: Workplace) {
  const { process } = at
  const clock: Clock = {
    wallNs: () => BigInt(Math.round((world.nowMs + process.skewMs) * NS_PER_MS)),
    monoNs: () => BigInt(world.nowMs * NS_PER_MS),
  }
  const timers: Timers = { after: (ms, action) => world.timer(process, ms, action) }
  const draw = () => random.fraction()
  const store = at.openStore({ listens: false, isEachCallChecked: true })
  const figures = new RecorderFigures(world.nowMs)
  const loading = new DiskLoading(world, at, store, disk, (stored) => shards.committed(stored))
  const protocol = new KalshiProtocol({ config: CONFIG, rest: null, clock, timers, random: draw })
  const connections = new VenueConnections({
    protocol,
    connectionsMax: 100,
    figures: figures.venues.kalshi,
    hasRoom: () => true,
    heardBefore: (book) => shards.before('kalshi', book),
    connection: {
      ...{ clock, timers, random: draw, openSocket: venue.socketsOf(process) },
      openSegment: disk.opens(loading, () => clock.wallNs()),
      liveness: kalshiLiveness(CONFIG),
      limits: connectionLimits(CONFIG),
      pacer: new ConnectPacer(STAGGER_MS),
      endsWithVenue: false,
    },
    log: (_, message) => world.note(`${process.name}: ${message}`),
  })
  const flush = () => {
    const [failure] = connections.flush()
    if (failure !== undefined) throw failure
    shards.flushed()
    return true
  }
  const log = {
    info: (fields: object, message: string) => world.note(`${process.name}: ${message} ${JSON.stringify(fields)}`),
    warn: (fields: object, message: string) => world.note(`${process.name}: ${message} ${JSON.stringify(fields)}`),
  }
  const shards = new Shards({
    ...{ leases, group, holder, pace: PACE, clock, timers, figures, log, loading, flush },
    connections: new Map([['kalshi', connections]]),
  })
  shards.want(venue.markets.map((market) => ({ venue: 'kalshi', market, books: [market] })))
  shards.start()
  loading.start()
  while (!isOver()) {
    await world.sleep(process, EVERY_MS)
    connections.look()
    flush()
  }
  shards.end()
  connections.stop()
  flush()
  const untilMs = world.nowMs + GIVE_UP_MS
  let isStored = await loading.stop()
  while (!isStored && world.nowMs < untilMs) {
    await world.sleep(process, EVERY_MS)
    isStored = await loading.stop()
  }
  await shards.stop(isStored)
}

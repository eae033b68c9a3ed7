// The recorder: discovery finds the markets, connections receive their messages, segments store them on disk, and the
// loader puts the segments into the store.

import { freeBytes } from '../../storage/data-folder/disk-space.ts'
import { sleep, type Timers } from '../../storage/retry/timers.ts'
import { VENUES, type Venue } from '../../storage/venue.ts'
import type { CommitReport, LiveLoading } from '../../workers/live-load/live-loading.ts'
import { ConnectPacer } from './connection/attempts.ts'
import { errorsOf } from './connection/ended-sessions.ts'
import { isReplay, type OpenSocket } from './connection/web-socket.ts'
import { type FoundVenue, startDiscovery, type VenueDiscovery } from './discovery/venue-discovery.ts'
import { LastSeenBooks } from './last-seen/last-seen-books.ts'
import type { SeenBooks } from './last-seen/segment-ends.ts'
import { RestHost } from './rest/rest-host.ts'
import { MarketIntake } from './run/market-intake.ts'
import { VenueConnections } from './run/venue-connections.ts'
import { RestBodies, SegmentFiles } from './segments/segment-files.ts'
import { ContradictedBooks } from './status/contradicted-books.ts'
import { clockProblem, type RecorderStats } from './status/recorder-stats.ts'
import type { RecorderState } from './status/recorder-status.ts'
import type { MachineClock, Random } from './time/clock.ts'
import type { RecordConfig } from './venues/read-record-config.ts'
import { RECORDED } from './venues/venues.ts'

type Logged = (fields: object, message: string) => void

export type RecorderOptions = {
  config: RecordConfig
  /** The data folder. */
  folder: string
  stats: RecorderStats
  log: { info: Logged; warn: Logged }
  /** Whether the recorder ends when every venue has closed all connections normally and discovery has no open
   *  request. */
  endsWithVenues: boolean
  loading: LiveLoading
  clock: MachineClock
  timers: Timers
  random: Random
  openSocket: OpenSocket
  /** Last-seen times of books, from the previous run of this recorder. */
  lastSeen: SeenBooks
}

const DISK_EVERY_MS = 5_000
/** A larger step of the clock is recorded as a jump. */
const CLOCK_JUMP_MS = 50
/** Attempts to write the last lines when the disk refuses them. */
const LAST_FLUSHES = 3
const LAST_FLUSH_PAUSE_MS = 1_000
const UTF16_BYTES = 2

export class Recorder {
  readonly #options: RecorderOptions
  readonly #files: SegmentFiles
  readonly #lastSeenBooks: LastSeenBooks
  readonly #bodies = new Map<Venue, RestBodies>()
  readonly #finished = Promise.withResolvers<string | null>()
  readonly #cancels: (() => void)[] = []
  readonly #connections = new Map<Venue, VenueConnections>()
  #discovery: readonly VenueDiscovery[] = []
  #intake: MarketIntake | undefined
  /** Whether discovery has requested everything once and has no open request. */
  #isAsked = false
  #wasSettled = false
  /** Message of the last disk error; null while lines can be written. */
  #refusal: string | null = null
  #hasRoom = true

  constructor(options: RecorderOptions) {
    this.#options = options
    const { folder, config, clock, loading: feed } = options
    const nowNs = () => clock.wallNs()
    this.#files = new SegmentFiles({ folder, recorder: config.recorderId, nowNs, feed })
    this.#lastSeenBooks = new LastSeenBooks(options.lastSeen, (header) => this.#files.open(header), nowNs)
  }

  /** Resolves to the reason if a venue refuses connections for good. With `endsWithVenues`, resolves to null when every
   *  venue has sent everything and discovery has no open request. */
  get finished(): Promise<string | null> {
    return this.#finished.promise
  }

  get state(): RecorderState {
    const { stats, loading } = this.#options
    if (stats.isStopping) return 'stopping'
    if (stats.isDiskFull) return 'disk_full'
    if (stats.isBehind || stats.problems.has('loading')) return 'catching_up'
    if (!this.#wasSettled) return 'starting'
    return loading.leftoverSegments > 0 ? 'catching_up' : 'recording'
  }

  start(): void {
    const { config, folder, clock, timers, random, stats, log, loading } = this.#options
    this.#lookAtDisk()
    errorsOf(() => this.#lastSeenBooks.begin())
    const found = VENUES.flatMap((venue) => this.#openVenue(venue) ?? [])
    this.#intake = new MarketIntake({
      ...{ share: config.share, connections: this.#connections, memory: this.#lastSeenBooks, loading },
      isReplay: (venue) => config.replayTimes && isReplay(config[venue]!.wsUrl),
    })
    const store = (venue: Venue, body: string, receivedNs: bigint) => this.#bodies.get(venue)!.add(body, receivedNs)
    const shared = { folder, clock, timers, random, stats, log }
    this.#discovery = startDiscovery(found, { ...shared, sink: this.#intake, store })
    void Promise.all(this.#discovery.map((each) => each.settled())).then(() => {
      this.#isAsked = true
    })
    this.#every(config.checkMs, () => this.#check())
    this.#every(config.flushMs, () => this.#flush())
    this.#every(DISK_EVERY_MS, () => this.#lookAtDisk())
  }

  /** Stops in order: writes every received message, closes all segments, and commits them. Rejects if that fails. */
  async stop(): Promise<void> {
    const { stats, loading, timers, log } = this.#options
    stats.isStopping = true
    for (const cancel of this.#cancels) cancel()
    this.#intake?.stop()
    await Promise.all(this.#discovery.map((each) => each.stop()))
    for (const connections of this.#venues) connections.stop()
    for (const bodies of this.#bodies.values()) bodies.stop()
    for (let tries = 1; !this.#flush() && tries < LAST_FLUSHES; tries++) {
      await sleep(LAST_FLUSH_PAUSE_MS, timers)
    }
    await loading.stop()
    const { leftoverSegments: segments } = loading
    if (segments > 0)
      log.info({ segments }, 'some segments of an earlier run are not loaded yet: the next start continues with them')
    if (this.#refusal !== null) throw new Error(`the last lines are not on the disk: ${this.#refusal}`)
  }

  /** Adds a commit to the stats, and sets or clears the problems that it reports. */
  committed(report: CommitReport): void {
    const { stats } = this.#options
    stats.isBehind = report.bytesToLoad > 0
    const [wrong] = report.errors
    if (wrong === undefined) stats.problems.delete('segment')
    else stats.problems.set('segment', `${wrong.segment} is not loaded until the next start: ${wrong.message}`)
    if (report.failure !== null) {
      stats.problems.set('loading', `Nothing is committed: ${report.failure.message}`)
      return
    }
    stats.problems.delete('loading')
    stats.commits++
    stats.recordsAdded += report.recordsAdded
    stats.lastCommitMs = report.committedMs
    if (report.lagMs !== null) stats.addLag(report.lagMs)
  }

  /** Makes the connections of a venue. Returns what discovery needs to find the venue's markets; undefined if the venue
   *  is not configured. */
  #openVenue(venue: Venue): FoundVenue | undefined {
    const { stats, log, clock, timers, random, openSocket, endsWithVenues: endsWithVenue } = this.#options
    const config = this.#options.config[venue]
    if (config === null) return undefined
    const { discovery } = stats.venues[venue]
    const warn: Logged = (...logged) => log.warn(...logged)
    const contradicted = new ContradictedBooks(venue, stats, warn)
    const { protocol, listener, ...finding } = RECORDED[venue].open(config, {
      ...{ clock, timers, random },
      hostOf: (rest, sign) =>
        rest && new RestHost(rest, { clock, timers, random, stats: discovery, ...(sign && { sign }) }),
      hint: (...of) => this.#discovery.find((each) => each.venue === venue)?.hint(...of),
      contradicted: (book, reason) => contradicted.set(book, reason),
    })
    const connections = new VenueConnections({
      ...{ protocol, connectionsMax: config.connectionsMax, stats: stats.venues[venue] },
      hasRoom: () => this.#hasRoom,
      takeLastSeen: (book) => this.#lastSeenBooks.take(venue, book),
      connection: {
        ...{ openSocket, clock, timers, random, limits: config, endsWithVenue },
        openSegment: (header) => this.#files.open(header),
        pacer: new ConnectPacer(config.connectStaggerMs),
      },
      warn,
      refused: (because) => this.#finished.resolve(because),
      problems: stats.problems,
    })
    if (listener !== null) connections.listen(listener)
    this.#connections.set(venue, connections)
    this.#bodies.set(venue, new RestBodies(venue, (header) => this.#files.open(header), clock))
    return { venue, config, ...finding }
  }

  get #venues(): VenueConnections[] {
    return [...this.#connections.values()]
  }

  #every(ms: number, action: () => void): void {
    const { timers } = this.#options
    const index = this.#cancels.length
    const next = () => {
      this.#cancels[index] = timers.after(ms, () => {
        next()
        action()
      })
    }
    next()
  }

  #check(): void {
    const { clock, stats, log, endsWithVenues } = this.#options
    const jumpMs = clock.follow()
    if (Math.abs(jumpMs) > CLOCK_JUMP_MS) {
      stats.clockJumps++
      log.warn({ jumpMs: Math.round(jumpMs) }, 'the clock of this machine has jumped')
      for (const connections of this.#venues) connections.state('clock_jump', { ms: Math.round(jumpMs) })
      for (const venue of VENUES) stats.venues[venue].messageAge.forget()
    }
    for (const connections of this.#venues) connections.check()
    for (const venue of VENUES) {
      const problem = clockProblem(venue, stats.venues[venue].messageAge.min)
      if (problem === null) stats.problems.delete(`clock ${venue}`)
      else stats.problems.set(`clock ${venue}`, problem)
    }
    const isAsked = this.#isAsked && this.#intake?.isSettled === true
    this.#wasSettled ||= isAsked && this.#venues.every(({ isSettled }) => isSettled)
    const isOver = () => isAsked && this.#venues.every(({ isFinished }) => isFinished)
    if (endsWithVenues && isOver()) this.#finished.resolve(null)
  }

  /** Writes all waiting lines. Returns false if the disk refuses some of them. */
  #flush(): boolean {
    const { config, stats, loading } = this.#options
    const failures = errorsOf(() => this.#lastSeenBooks.begin())
    failures.push(...this.#venues.flatMap((connections) => connections.flush()))
    if (this.#wasSettled && failures.length === 0) failures.push(...errorsOf(() => this.#lastSeenBooks.placed()))
    for (const bodies of this.#bodies.values()) failures.push(...errorsOf(() => bodies.flush()))
    const sinks = [...this.#venues, ...this.#bodies.values()]
    const pendingBytes = sinks.reduce((sum, { pendingLength }) => sum + UTF16_BYTES * pendingLength, 0)
    if (failures.length > 0 && pendingBytes > config.writeQueueBytesMax) {
      stats.framesDropped += sinks.reduce((sum, sink) => sum + sink.overflow(), 0)
    }
    stats.unwrittenBytes = pendingBytes
    stats.queuedBytes = loading.queuedBytes + pendingBytes
    this.#files.count(stats)
    stats.segmentsWaiting = loading.leftoverSegments
    this.#reportDisk(failures[0])
    return failures.length === 0
  }

  #lookAtDisk(): void {
    const { folder, config } = this.#options
    this.#hasRoom = freeBytes(folder) >= config.diskFreeBytesMin
    this.#reportDisk(this.#refusal ?? undefined)
  }

  #reportDisk(refusal: unknown): void {
    const { stats, log, config } = this.#options
    const because = refusal === undefined ? null : refusal instanceof Error ? refusal.message : String(refusal)
    if (because !== null && this.#refusal === null) log.warn({ because }, 'segments cannot be written')
    if (because === null && this.#refusal !== null) log.info({}, 'segments can be written again')
    this.#refusal = because
    stats.isDiskFull = because !== null || !this.#hasRoom
    const freeMb = Math.round(config.diskFreeBytesMin / 2 ** 20)
    const shortage = this.#hasRoom ? null : `Less than ${freeMb} MB are free: no new markets are taken`
    const problem = because === null ? shortage : `Segments cannot be written: ${because}`
    if (problem === null) stats.problems.delete('disk')
    else stats.problems.set('disk', problem)
  }
}

// Finds the markets of a venue over REST and follows them until they are over. Separate loops request new markets,
// markets that ended, and from time to time all markets.

import type { Timers } from '../../../storage/retry/timers.ts'
import type { Venue } from '../../../storage/venue.ts'
import { type ConnectionConfig, selectsByDiscovery } from '../config/venue-config.ts'
import type { MarketSink } from '../connection/venue-protocol.ts'
import { RestError } from '../rest/rest-host.ts'
import type { RecorderStats } from '../status/recorder-stats.ts'
import type { Clock, Random } from '../time/clock.ts'
import { CircleError } from './keyset-pages.ts'
import { KnownMarkets, readSet, type SetPlace, saveSet } from './known-markets.ts'
import type { FinderDesk, OpenedVenue, VenueFinder } from './recorded-venue.ts'
import { Hints, type PollLoop, pollLoop } from './request-times.ts'

type DiscoveryOptions = {
  /** The data folder. */
  folder: string
  clock: Clock
  timers: Timers
  random: Random
  sink: MarketSink
  stats: RecorderStats
  /** Stores a REST body that has news about markets. */
  store(venue: Venue, body: string, receivedNs: bigint): void
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}

/** A venue with its selection of markets, the finder of these markets, and the times between requests. */
export type FoundVenue = Pick<OpenedVenue, 'finder' | 'named' | 'hydration'> & {
  venue: Venue
  config: Pick<ConnectionConfig, 'selection' | 'keepMs' | 'aheadMs' | 'resolvedMs' | 'scanMs'>
}

/** The time range of a request for new or for ended markets overlaps that of the previous request by this much. */
const OVERLAP_MS = 120_000
/** Pause after a failed scan. */
const SCAN_AGAIN_MS = 30_000
const SAVE_MS = 60_000

/** Starts discovery. Named markets, and those known before a restart, are offered to the recorder before this
 *  returns. */
export function startDiscovery(found: readonly FoundVenue[], options: DiscoveryOptions): VenueDiscovery[] {
  const venues = found.map((each) => new VenueDiscovery(each, options))
  for (const venue of venues) venue.start()
  return venues
}

export class VenueDiscovery {
  readonly venue: Venue
  readonly #found: FoundVenue
  readonly #finder: VenueFinder
  /** Whether the selection needs discovery. */
  readonly #isFinding: boolean
  /** The file of the known markets. */
  readonly #place: SetPlace
  readonly #options: DiscoveryOptions
  readonly #markets: KnownMarkets
  readonly #hints: Hints
  readonly #stop = new AbortController()
  readonly #desk: FinderDesk
  /** Fingerprint of the last description of each named market. */
  readonly #described = new Map<string, string>()
  readonly #loops: PollLoop[] = []
  #hintLoop: PollLoop | undefined
  #whenIdle: (() => void)[] = []
  #isRequestingHints = false
  #saving: Promise<void> = Promise.resolve()
  /** Revision of the known markets that are saved on disk; undefined until a whole scan has succeeded in this run. */
  #savedRevision: number | undefined
  /** Time of the last successful request for new markets, and for markets that ended; Unix ms. */
  #newestMs: number
  #overMs: number

  constructor(found: FoundVenue, options: DiscoveryOptions) {
    const nowMs = () => Number(options.clock.wallNs() / 1_000_000n)
    const { sink, folder } = options
    const { venue, config } = found
    const { selection, keepMs, aheadMs } = config
    this.venue = venue
    this.#found = found
    this.#finder = found.finder
    this.#isFinding = selectsByDiscovery(selection)
    this.#place = { folder, venue, selection: JSON.stringify(selection) }
    this.#options = options
    this.#markets = new KnownMarkets({ venue, sink, keepMs, aheadMs, nowMs })
    this.#hints = new Hints(found.hydration)
    this.#newestMs = this.#overMs = nowMs()
    this.#desk = {
      signal: this.#stop.signal,
      nowMs,
      known: this.#markets,
      found: (markets, { body, receivedNs }) => {
        if (this.#markets.take(markets)) options.store(venue, body, receivedNs)
      },
      described: (markets, { body, receivedNs }) => {
        const news = markets.filter(({ market, said }) => this.#described.get(market) !== said)
        for (const { market, said } of news) this.#described.set(market, said)
        if (news.length > 0) options.store(venue, body, receivedNs)
      },
      again: (market) => this.#hint(market, false),
    }
  }

  start(): void {
    const { named, config } = this.#found
    const { resolvedMs, scanMs } = config
    const { timers } = this.#options
    this.#options.sink.want(named)
    if (this.#isFinding) this.#restore()
    const loop = (run: () => Promise<number>) => this.#loops.push(pollLoop(timers, run))
    const describe = () => this.#attempt('the named markets', () => this.#finder.describeNamed(this.#desk))
    if (named.length > 0) loop(async () => ((await describe()) ? scanMs : SCAN_AGAIN_MS))
    if (!this.#isFinding) return
    loop(() => this.#newest())
    loop(async () => {
      await this.#over()
      return resolvedMs
    })
    loop(async () => ((await this.#scan()) ? scanMs : Math.min(scanMs, SCAN_AGAIN_MS)))
    loop(async () => {
      if (this.#savedRevision !== undefined) await this.#save()
      return SAVE_MS
    })
    this.#hintLoop = pollLoop(timers, () => this.#requestHints())
    this.#loops.push(this.#hintLoop)
  }

  /** Requests a market that a socket mentioned: discovery believes only REST. */
  hint(market: string, kind: 'new' | 'over'): void {
    if (this.#isFinding) this.#hint(market, kind === 'over')
  }

  /** Resolves when every loop has run once and no hint waits. */
  async settled(): Promise<void> {
    await Promise.all(this.#loops.map(({ first }) => first))
    if (this.#hintLoop === undefined || this.#isIdle()) return
    await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#loops.map((each) => each.stop()))
    if (this.#savedRevision !== undefined) await this.#save()
    for (const resolve of this.#whenIdle) resolve()
  }

  #restore(): void {
    const saved = readSet(this.#place)
    if (saved === null) return
    this.#newestMs = this.#overMs = Math.min(saved.savedMs, this.#desk.nowMs())
    this.#markets.restore(saved.markets)
    const fields = { venue: this.venue, markets: saved.markets.length }
    this.#options.log.info(fields, 'recording the markets that were known before the restart')
  }

  async #newest(): Promise<number> {
    const startedMs = this.#desk.nowMs()
    const isDone = await this.#attempt('new markets', () =>
      this.#finder.newest(this.#desk, this.#newestMs - OVERLAP_MS),
    )
    if (isDone) this.#newestMs = startedMs
    this.#markets.sweep()
    return this.#finder.pauseMs(this.#desk)
  }

  async #over(): Promise<void> {
    const startedMs = this.#desk.nowMs()
    const since = this.#overMs - OVERLAP_MS
    const isDone = await this.#attempt('markets that ended', () => this.#finder.over(this.#desk, since))
    if (isDone) this.#overMs = startedMs
    this.#markets.sweep()
  }

  /** Lists all markets. Then requests by id the known markets that are not in the list, because they may have ended.
   *  Returns whether the scan succeeded. */
  async #scan(): Promise<boolean> {
    const { discovery } = this.#options.stats.venues[this.venue]
    const before = [...this.#markets.all()].filter(({ overMs }) => overMs === null).map(({ market }) => market)
    const isWhole = await this.#attempt('all markets', async () => {
      const seen = await this.#finder.scan(this.#desk)
      const missing = before.filter((market) => !seen.has(market))
      if (missing.length > 0) await this.#finder.ask(this.#desk, missing, true)
    })
    if (!isWhole) return false
    discovery.scans++
    discovery.lastScanMs = this.#desk.nowMs()
    this.#savedRevision ??= -1
    await this.#save()
    return true
  }

  #hint(market: string, isOver: boolean): void {
    const known = this.#markets.get(market)
    if (isOver ? known === undefined || known.overMs !== null : known !== undefined) return
    this.#hints.add(market, isOver, this.#desk.nowMs())
    this.#hintLoop?.hurry()
  }

  /** Requests the markets whose hints are due. Returns the pause until the next hint is due, ms. */
  async #requestHints(): Promise<number> {
    this.#isRequestingHints = true
    for (const isOver of [false, true]) {
      const due = this.#hints.due(isOver, this.#desk.nowMs())
      if (due.length === 0) continue
      let answered = new Set<string>()
      await this.#attempt('markets that a socket reported', async () => {
        answered = await this.#finder.ask(this.#desk, due, isOver)
      })
      for (const market of due) this.#hints.asked(market, answered.has(market), this.#desk.nowMs())
    }
    this.#isRequestingHints = false
    if (this.#isIdle()) for (const resolve of this.#whenIdle.splice(0)) resolve()
    const { nextMs } = this.#hints
    return nextMs === null ? SAVE_MS : Math.max(0, nextMs - this.#desk.nowMs())
  }

  #isIdle(): boolean {
    return !this.#isRequestingHints && this.#hints.nextMs === null
  }

  /** Saves the known markets. Saves run one after the other, because they write the same file. */
  #save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#saveNow())
    return this.#saving
  }

  async #saveNow(): Promise<void> {
    const { revision } = this.#markets
    if (this.#savedRevision === revision) return
    const savedMs = Math.min(this.#newestMs, this.#overMs)
    const { venue } = this
    const { stats, log } = this.#options
    const name = `saving ${venue}`
    try {
      await saveSet(this.#place, { savedMs, markets: this.#markets.all() })
      this.#savedRevision = revision
      stats.problems.delete(name)
    } catch (error) {
      log.warn({ venue, error }, 'the known markets cannot be saved')
      stats.problems.set(name, `the known markets of ${venue} cannot be saved: ${(error as Error).message}`)
    }
  }

  /** Runs a request and returns whether it succeeded. Reports a failure as a problem in the status until the next
   *  success. */
  async #attempt(what: string, run: () => Promise<void>): Promise<boolean> {
    const { stats, log } = this.#options
    const { venue } = this
    const name = `request to ${venue} for ${what}`
    try {
      await run()
      stats.problems.delete(name)
      return !this.#stop.signal.aborted
    } catch (error) {
      if (error instanceof RestError && error.kind === 'stopped') return false
      if (error instanceof CircleError) stats.venues[venue].discovery.garbage++
      const { message } = error as Error
      log.warn({ venue, error }, `the request to ${venue} for ${what} failed`)
      stats.problems.set(name, `the request to ${venue} for ${what} failed: ${message}`)
      return false
    }
  }
}

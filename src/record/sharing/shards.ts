// The shards of this recorder: takes leases and gives them back, records the markets of those that it holds, and says
// in the leases what of them is stored.

import type { HeldLease, LeaseGroup, LeaseRow } from '../../../storage/cluster/leases/leases.ts'
import { nextStep, SHARD_COUNT } from '../../../storage/cluster/leases/sharing.ts'
import type { Venue } from '../../../storage/venue.ts'
import type { LiveLoading, StoredLines } from '../../../workers/live-load/live-loading.ts'
import type { Heard } from '../connection/gap-tracker.ts'
import { type Clock, msOf, type Timers } from '../connection/time.ts'
import type { BookId } from '../connection/venue-protocol.ts'
import type { MarketSink, WantedMarket } from '../connection/wanted-market.ts'
import type { VenueConnections } from '../run/venue-connections.ts'
import type { RecorderLog } from '../run/venue-set.ts'
import type { RecorderFigures } from '../status/recorder-figures.ts'
import { type HeardOfConnection, HeldShard } from './held-shard.ts'
import type { Sharing } from './sharing.ts'
import { WantedShards } from './wanted-shards.ts'

export type ShardsOptions = Sharing & {
  clock: Clock
  timers: Timers
  figures: RecorderFigures
  log: RecorderLog
  loading: Pick<LiveLoading, 'addCount' | 'commit' | 'hold'>
  connections: ReadonlyMap<Venue, VenueConnections>
  /** False where the disk does not take all. */
  flush(): boolean
}

/** Books that nobody wanted for so long begin anew. */
const KEPT_MS = 30 * 86_400_000
const PROBLEM = 'leases'

export class Shards implements MarketSink {
  readonly #options: ShardsOptions
  readonly #held = new Map<string, HeldShard>()
  #wanted = new WantedShards(SHARD_COUNT)
  #group: LeaseGroup | undefined
  /** When the database could not be asked last, ms of the monotonic clock. */
  #awayMs = Number.NEGATIVE_INFINITY
  #isAway = false
  #state: 'running' | 'stopping' | 'stopped' = 'running'
  #wake = Promise.withResolvers<void>()
  #loop: Promise<void> = Promise.resolve()
  #leaving: Promise<void> = Promise.resolve()
  #last: HeldLease[] = []

  constructor(options: ShardsOptions) {
    this.#options = options
    options.figures.shards = { group: options.group, held: 0, count: 0, recorders: 0, lost: 0 }
  }

  /** Whether it holds its share. */
  get isSettled(): boolean {
    return this.#held.size > 0
  }

  start(): void {
    this.#loop = this.#run()
  }

  /** Nothing is refused here: what the connections do not take is offered to them again. */
  want(markets: readonly WantedMarket[]): WantedMarket[] {
    const shards = this.#wanted.add(markets)
    const held = [...shards].map((shard) => this.#heldAt(shard)).filter((shard) => shard !== undefined)
    for (const shard of held) this.#take(shard)
    if (held.length > 0) this.#wake.resolve()
    return []
  }

  unwant(venue: Venue, books: readonly BookId[]): void {
    for (const [index, ofIt] of this.#wanted.remove(venue, books)) {
      const shard = this.#heldAt(index)
      if (shard === undefined) continue
      shard.remove(venue, ofIt)
      this.#options.connections.get(venue)?.unwant(ofIt)
    }
  }

  /** What those heard of a book who recorded its shard before. */
  before(venue: Venue, book: BookId): Heard | undefined {
    const index = this.#wanted.shardOf(venue, book)
    return index === undefined ? undefined : this.#heldAt(index)?.before(venue, book)
  }

  /** All that was heard is on the disk. */
  flushed(): void {
    if (this.#state !== 'running') return
    const { loading } = this.#options
    for (const shard of this.#held.values()) {
      if (!shard.isLeaving) shard.note(this.#heardOf(shard), loading.addCount, this.#nowMs())
    }
  }

  committed(stored: StoredLines): void {
    for (const shard of this.#held.values()) shard.stored(stored)
  }

  /** Everything is about to end: notes what is to be told while connections know it. Nothing is taken any more. */
  end(): void {
    this.#state = 'stopping'
    const nowMs = this.#nowMs()
    const ours = [...this.#held.values()].filter(({ isLeaving }) => !isLeaving)
    this.#last = ours.map((shard) => ({ fence: shard.fence, heard: shard.last(this.#heardOf(shard), nowMs) }))
  }

  /** `isStored`: all that was heard. Otherwise the leases expire, and say what was stored. */
  async stop(isStored: boolean): Promise<void> {
    const { leases, group, holder, log } = this.#options
    this.#state = 'stopped'
    this.#wake.resolve()
    await Promise.all([this.#loop, this.#leaving])
    try {
      if (isStored) await leases.giveBack(this.#last.filter(({ fence }) => this.#held.has(fence.lease)))
      await leases.leave(group, holder)
    } catch (error) {
      log.warn({ because: (error as Error).message }, 'the shards cannot be given back: they are free when they expire')
    }
    await leases.close()
  }

  async #run(): Promise<void> {
    while (this.#state !== 'stopped') {
      this.#wake = Promise.withResolvers()
      try {
        await this.#turn()
      } catch (error) {
        this.#away((error as Error).message)
      }
      this.#place()
      const cancel = this.#options.timers.after(this.#options.pace.turnMs, this.#wake.resolve)
      await this.#wake.promise
      cancel()
    }
  }

  async #turn(): Promise<void> {
    const { leases, group, holder, pace, log } = this.#options
    if (this.#group === undefined) await leases.prepare(group, SHARD_COUNT)
    const held = [...this.#held.values()].map((shard) => ({ shard, told: shard.isLeaving ? null : shard.tell() }))
    const renewed = held.map(({ shard, told }) => ({ fence: shard.fence, heard: told?.heard ?? null }))
    const seen = await leases.turn({ group, holder, ttlMs: pace.leaseMs, held: renewed })
    if (this.#group === undefined) this.#learn(seen.leases.length)
    this.#group = seen
    for (const { shard, told } of held) {
      const { lease, epoch } = shard.fence
      const row = seen.leases.find((each) => each.lease === lease)
      if (row?.holder !== holder || row.epoch !== epoch) this.#lose(shard, row)
      else if (told !== null) shard.told(told)
    }
    // Shards that are taken from here on are recorded once the database knows of their markets.
    this.#back()
    if (this.#state !== 'running') return
    const mayTakeExpired = this.#monoMs() - this.#awayMs >= pace.leaseMs
    const { take, giveBack } = nextStep(seen, holder, mayTakeExpired)
    for (const lease of take) await this.#takeLease(lease)
    const given = giveBack === null ? undefined : this.#held.get(giveBack)
    if (given !== undefined && ![...this.#held.values()].some(({ isLeaving }) => isLeaving)) {
      this.#leaving = this.#giveBack(given)
    }
    if (take.length > 0) log.info({ shards: this.#held.size, of: seen.leases.length }, 'shards are recorded')
    this.#count()
  }

  /** The first that is known of the group: how many shards it has. */
  #learn(count: number): void {
    const wanted = new WantedShards(count)
    for (let shard = 0; shard < SHARD_COUNT; shard++) wanted.add(this.#wanted.of(shard))
    this.#wanted = wanted
  }

  async #takeLease(seen: LeaseRow): Promise<void> {
    const { leases, holder, pace, log } = this.#options
    const taken = await leases.take(seen, { holder, ttlMs: pace.leaseMs })
    if (taken === undefined) return
    if (seen.holder !== null) log.warn({ shard: seen.lease, from: seen.holder }, 'a shard is taken over')
    const shard = new HeldShard(taken)
    shard.forgetBefore(this.#nowMs() - KEPT_MS, (venue, book) => this.#wanted.has(venue, book))
    this.#held.set(seen.lease, shard)
    this.#take(shard)
    this.#placeOf(shard)
  }

  /** Its markets are to be recorded, once the database knows of them. */
  #take(shard: HeldShard): void {
    const books = this.#wanted.of(indexOf(shard)).flatMap(({ venue, market, books: ofIt }) => {
      return ofIt.map((book) => ({ venue, market, book }))
    })
    shard.add(books, this.#nowMs())
  }

  #place(): void {
    let leftOut = 0
    for (const shard of this.#held.values()) leftOut += this.#placeOf(shard)
    const { problems } = this.#options.figures
    if (leftOut === 0) problems.delete('shards')
    else problems.set('shards', `${leftOut} markets of shards are not taken, since a limit is reached`)
  }

  /** While the database is away, nothing can be told to it, and nothing is stored. How many markets were not taken. */
  #placeOf(shard: HeldShard): number {
    if (shard.isLeaving || this.#state !== 'running') return 0
    const isTold = ({ venue, books }: WantedMarket) => this.#isAway || books.every((book) => shard.isTold(venue, book))
    const markets = this.#wanted.of(indexOf(shard)).filter(isTold)
    const byVenue = Map.groupBy(markets, ({ venue }) => venue)
    let leftOut = 0
    for (const [venue, ofIt] of byVenue) {
      const fenced = ofIt.map((market) => ({ ...market, fence: shard.fence }))
      leftOut += this.#options.connections.get(venue)!.want(fenced).length
    }
    return leftOut
  }

  /** Another recorder tells what is missing from here on. What is not stored of it stays in its segments. */
  #lose(shard: HeldShard, row: LeaseRow | undefined): void {
    const { figures, log } = this.#options
    this.#drop(shard, false)
    this.#held.delete(shard.fence.lease)
    figures.shards!.lost++
    const said = { shard: shard.fence.lease, to: row?.holder ?? null }
    log.warn(said, 'a shard is another recorder’s now: what is not stored stays in segments for the next start')
  }

  /** All that was heard of it is stored first. */
  async #giveBack(shard: HeldShard): Promise<void> {
    const { leases, loading, timers, pace, log } = this.#options
    const { fence } = shard
    const heard = shard.last(this.#heardOf(shard), this.#nowMs())
    shard.isLeaving = true
    this.#drop(shard, true)
    while (this.#held.get(fence.lease) === shard) {
      try {
        if (!this.#options.flush()) throw new Error('the disk does not take all')
        await loading.commit()
        await leases.giveBack([{ fence, heard }])
        this.#held.delete(fence.lease)
        log.info({ shard: fence.lease }, 'a shard is given back')
      } catch (error) {
        if (this.#state === 'stopped') return
        log.warn({ shard: fence.lease, because: (error as Error).message }, 'a shard cannot be given back yet')
        await new Promise<void>((resolve) => void timers.after(pace.turnMs, resolve))
      }
    }
  }

  #drop({ fence }: HeldShard, tellsGaps: boolean): void {
    for (const connections of this.#options.connections.values()) connections.drop(fence, tellsGaps)
  }

  #heardOf({ fence }: HeldShard): HeardOfConnection[] {
    return [...this.#options.connections].flatMap(([venue, connections]) =>
      connections.under(fence).map(({ heard }) => ({ venue, ...heard })),
    )
  }

  #heldAt(index: number): HeldShard | undefined {
    for (const shard of this.#held.values()) if (indexOf(shard) === index) return shard.isLeaving ? undefined : shard
    return undefined
  }

  #away(because: string): void {
    const { figures, loading, log } = this.#options
    if (!this.#isAway) log.warn({ because }, 'the leases cannot be renewed: what is held is recorded on')
    this.#isAway = true
    // Nothing is stored of a book that the database does not know of.
    loading.hold(true)
    this.#awayMs = this.#monoMs()
    figures.problems.set(PROBLEM, `The leases of shards cannot be renewed: ${because}`)
  }

  #back(): void {
    if (!this.#isAway) return
    this.#isAway = false
    this.#options.figures.problems.delete(PROBLEM)
    this.#options.loading.hold(false)
  }

  #count(): void {
    const { figures } = this.#options
    const { recorders, leases } = this.#group!
    Object.assign(figures.shards!, { held: this.#held.size, count: leases.length, recorders: recorders.length })
  }

  #nowMs(): number {
    return msOf(this.#options.clock.wallNs())
  }

  #monoMs(): number {
    return msOf(this.#options.clock.monoNs())
  }
}

const indexOf = ({ fence }: HeldShard): number => Number(fence.lease.slice(fence.lease.lastIndexOf('/') + 1))

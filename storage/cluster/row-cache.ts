// A cache of market rows for one thread. While the database reports changes, cached rows are used as they are.
// Otherwise rows are checked once in each epoch. If the database does not answer, the cache answers with the rows that
// it has. Requests that are made at the same time are sent as one.

import { DataError } from '../failures.ts'
import type { PartitionKey } from '../partition-key.ts'
import type { Venue } from '../venue.ts'
import { Batched } from './batched.ts'
import type { ChangeNotices } from './change-notices.ts'
import type { ClusterDatabase, DayRow, DaysOf, Listener, MarketDays, MarketRow } from './database/cluster-database.ts'
import { nameOfPiece, openPieces, type PlacedPiece } from './segment/pieces.ts'

/** Approximate limit of cached rows, bytes. */
const BYTES_MAX = 64 << 20
const TRIES = 8
/** A query that waited this long without an answer from the database suppresses further checks for the same time, so
 *  that other queries do not wait too. */
const AWAY_MS = 1_000
/** The epoch of rows that must be checked at their next use. */
const UNSURE = -1

export type KnownDay = DayRow & { placed?: Map<string, PlacedPiece> }
/** `stamp` is the stamp from shared memory when the row was requested. */
type KnownMarket = {
  row: MarketRow | undefined
  days: Map<string, KnownDay>
  epoch: number
  stamp: number | null
  bytes: number
}
type Name = { venue: Venue; market: string }

export type RowCacheOptions = {
  /** Every query is an epoch of its own: for a thread in which nothing calls `refresh`. */
  isEachCallChecked?: boolean
  /** Receives the changes that this thread is notified of or reads, for the other threads. */
  shares?: ChangeNotices | undefined
  /** Has the changes that another thread is notified of, if this thread does not listen itself. */
  heeds?: ChangeNotices | undefined
  /** Time of a clock that never steps back. */
  elapsedMs?: () => number
}

export class RowCache implements Listener {
  readonly #revisions: Batched<Name, number>
  readonly #rows: Batched<Name, MarketRow | undefined>
  readonly #days: Batched<DaysOf, MarketDays>
  readonly #isEachCallChecked: boolean
  readonly #shares: ChangeNotices | undefined
  readonly #heeds: ChangeNotices | undefined
  readonly #elapsedMs: () => number
  readonly #markets = new Map<string, KnownMarket>()
  /** Markets that changed while reads were pending: the results may not contain the change. */
  readonly #changedMeanwhile = new Set<string>()
  #pendingReads = 0
  #bytes = 0
  #epoch = 0
  #isNotified = false
  #awayUntilMs = 0

  constructor(
    database: ClusterDatabase,
    { isEachCallChecked = false, shares, heeds, elapsedMs = performanceMs }: RowCacheOptions = {},
  ) {
    this.#revisions = new Batched((names) => database.revisions(names))
    this.#rows = new Batched((names) => database.marketRows(names))
    this.#days = new Batched((questions) => database.days(questions))
    this.#isEachCallChecked = isEachCallChecked
    this.#shares = shares
    this.#heeds = heeds
    this.#elapsedMs = elapsedMs
  }

  /** Begins an epoch. */
  refresh(): void {
    if (!this.#isNotified) this.#epoch++
  }

  changed(markets: readonly Name[]): void {
    this.#shares?.changed(markets)
    for (const name of markets) {
      this.forget(name.venue, name.market)
      if (this.#pendingReads > 0) this.#changedMeanwhile.add(nameOf(name))
    }
  }

  lost(): void {
    this.#shares?.lost()
    this.#isNotified = false
    this.#epoch++
  }

  watching(): void {
    this.#shares?.watching()
    this.#epoch++
    this.#isNotified = true
  }

  forget(venue: Venue, market: string): void {
    const name = nameOf({ venue, market })
    this.#bytes -= this.#markets.get(name)?.bytes ?? 0
    this.#markets.delete(name)
  }

  async market(venue: Venue, market: string): Promise<MarketRow | undefined> {
    return (await this.#known({ venue, market })).row
  }

  /** Returns the rows of the chosen dates that are stored, all of one revision. `choose` receives the stored dates,
   *  ascending. */
  async days(venue: Venue, market: string, choose: (dates: string[]) => string[]): Promise<KnownDay[]> {
    const name = { venue, market }
    for (let tries = 1; ; tries++) {
      const known = await this.#known(name)
      const dates = choose(known.row?.dates ?? [])
      const missing = dates.filter((date) => !known.days.has(date))
      if (missing.length > 0) {
        const { revision, days } = await this.#days.ask({ ...name, dates: missing })
        if (revision !== known.row!.revision) {
          this.forget(venue, market)
          if (tries < TRIES) continue
          throw new DataError('store_unavailable', `The ${venue} market ${market} changes all the time`)
        }
        for (const day of days) this.#addDay(name, known, day)
      }
      return dates.flatMap((date) => known.days.get(date) ?? [])
    }
  }

  async day({ venue, market, date }: PartitionKey): Promise<KnownDay | undefined> {
    return (await this.days(venue, market, (dates) => (dates.includes(date) ? [date] : [])))[0]
  }

  #known(name: Name): KnownMarket | Promise<KnownMarket> {
    const key = nameOf(name)
    const known = this.#markets.get(key)
    if (known === undefined) return this.#read(name)
    this.#markets.delete(key)
    this.#markets.set(key, known)
    const isSure =
      this.#isCurrent(key, known) || (known.epoch === this.#epoch && (this.#isNotified || !this.#isEachCallChecked))
    if (isSure || (this.#awayUntilMs > 0 && this.#elapsedMs() < this.#awayUntilMs)) return known
    return this.#checked(name, known)
  }

  #isCurrent(key: string, { stamp }: KnownMarket): boolean {
    return stamp !== null && stamp === this.#stampOf(key)
  }

  #stampOf(key: string): number | null {
    return this.#heeds?.stampOf(key) ?? null
  }

  async #checked(name: Name, known: KnownMarket): Promise<KnownMarket> {
    const startMs = this.#elapsedMs()
    const stamp = this.#stampOf(nameOf(name))
    try {
      const { answer: revision, epoch } = await this.#withEpoch(name, () => this.#revisions.ask(name))
      if (revision !== (known.row?.revision ?? 0)) return await this.#read(name)
      known.epoch = epoch
      known.stamp = stamp
      return known
    } catch (error) {
      if (!(error instanceof DataError && error.code === 'store_unavailable')) throw error
      const nowMs = this.#elapsedMs()
      if (nowMs - startMs >= AWAY_MS) this.#awayUntilMs = nowMs + AWAY_MS
      return known
    }
  }

  async #read(name: Name): Promise<KnownMarket> {
    const stamp = this.#stampOf(nameOf(name))
    const { answer: row, epoch } = await this.#withEpoch(name, () => this.#rows.ask(name))
    // The row may be newer than the last notification: once this thread has answered with it, other threads must not
    // answer with an older one.
    this.#shares?.changed([name])
    const bytes = 200 + (row?.dates.length ?? 0) * 16
    const known: KnownMarket = { row, days: new Map(), epoch, stamp, bytes }
    this.forget(name.venue, name.market)
    this.#markets.set(nameOf(name), known)
    this.#bytes += bytes
    this.#makeRoom(known)
    return known
  }

  /** Returns the answer, and the epoch in which it is certain. */
  async #withEpoch<T>(name: Name, ask: () => Promise<T>): Promise<{ answer: T; epoch: number }> {
    const epoch = this.#epoch
    this.#pendingReads++
    try {
      const answer = await ask()
      return { answer, epoch: this.#changedMeanwhile.has(nameOf(name)) ? UNSURE : epoch }
    } finally {
      this.#pendingReads--
      if (this.#pendingReads === 0) this.#changedMeanwhile.clear()
    }
  }

  #addDay(name: Name, known: KnownMarket, day: DayRow): void {
    known.days.set(day.date, day)
    if (this.#markets.get(nameOf(name)) !== known) return
    const bytes = day.head.length + 8 * day.pieces.length + 400
    known.bytes += bytes
    this.#bytes += bytes
    this.#makeRoom(known)
  }

  /** Evicts the markets that were used least recently. */
  #makeRoom(requested: KnownMarket): void {
    for (const [name, each] of this.#markets) {
      if (this.#bytes <= BYTES_MAX) return
      if (each === requested) continue
      this.#bytes -= each.bytes
      this.#markets.delete(name)
    }
  }
}

export function placedPieces(key: PartitionKey, day: KnownDay): Map<string, PlacedPiece> {
  day.placed ??= new Map(openPieces(key, day.pieces).map((piece) => [nameOfPiece(piece), piece]))
  return day.placed
}

const performanceMs = () => performance.now()
const nameOf = ({ venue, market }: Name): string => `${venue} ${market}`

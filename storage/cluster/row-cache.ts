// The rows of markets as this thread knows them. While the database tells what changes, rows that are known are used as
// they are. Without that, whoever asks in an epoch gets rows that were checked in it. Where the database does not
// answer, rows that are known answer. What is asked at a time is one question to the database.

import { DataError } from '../failures.ts'
import type { PartitionKey } from '../partition-key.ts'
import type { Venue } from '../venue.ts'
import { Batched } from './batched.ts'
import type { ClusterDatabase, DayRow, DaysOf, Listener, MarketDays, MarketRow } from './database/cluster-database.ts'
import type { Heard } from './heard.ts'
import { nameOfPiece, openPieces, type PlacedPiece } from './segment/pieces.ts'

/** How much of rows is kept, about. */
const BYTES_MAX = 64 << 20
const TRIES = 8
/** Who has waited so long for the database in vain does not ask again for so long: others need not wait, too. */
const AWAY_MS = 1_000
/** Of rows that are to be checked when they are asked for next. */
const UNSURE = -1

export type KnownDay = DayRow & { placed?: Map<string, PlacedPiece> }
/** `stamp` is what was heard when its row was asked for. */
type KnownMarket = {
  row: MarketRow | undefined
  days: Map<string, KnownDay>
  epoch: number
  stamp: number | null
  bytes: number
}
type Name = { venue: Venue; market: string }

export type RowCacheOptions = {
  /** Every question is an epoch of its own: of a thread in which nobody calls `refresh`. */
  isEachCallChecked?: boolean
  /** Gets what this thread hears or learns, for the others. */
  shares?: Heard | undefined
  /** Has what another thread hears, in place of what this one would. */
  heeds?: Heard | undefined
  /** Of a clock that never steps back. */
  elapsedMs?: () => number
}

export class RowCache implements Listener {
  readonly #revisions: Batched<Name, number>
  readonly #rows: Batched<Name, MarketRow | undefined>
  readonly #days: Batched<DaysOf, MarketDays>
  readonly #isEachCallChecked: boolean
  readonly #shares: Heard | undefined
  readonly #heeds: Heard | undefined
  readonly #elapsedMs: () => number
  readonly #markets = new Map<string, KnownMarket>()
  /** Of markets whose rows are on their way: what has changed since may not be in them. */
  readonly #changedMeanwhile = new Set<string>()
  #onTheirWay = 0
  #bytes = 0
  #epoch = 0
  #isHeard = false
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
    if (!this.#isHeard) this.#epoch++
  }

  changed(markets: readonly Name[]): void {
    this.#shares?.changed(markets)
    for (const name of markets) {
      this.forget(name.venue, name.market)
      if (this.#onTheirWay > 0) this.#changedMeanwhile.add(nameOf(name))
    }
  }

  lost(): void {
    this.#shares?.lost()
    this.#isHeard = false
    this.#epoch++
  }

  heard(): void {
    this.#shares?.heard()
    this.#epoch++
    this.#isHeard = true
  }

  forget(venue: Venue, market: string): void {
    const name = nameOf({ venue, market })
    this.#bytes -= this.#markets.get(name)?.bytes ?? 0
    this.#markets.delete(name)
  }

  async market(venue: Venue, market: string): Promise<MarketRow | undefined> {
    return (await this.#known({ venue, market })).row
  }

  /** Rows of those dates that are stored, all of one revision; `choose` gets the stored dates, ascending. */
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
        for (const day of days) this.#keep(name, known, day)
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
      this.#isHeeded(key, known) || (known.epoch === this.#epoch && (this.#isHeard || !this.#isEachCallChecked))
    if (isSure || (this.#awayUntilMs > 0 && this.#elapsedMs() < this.#awayUntilMs)) return known
    return this.#checked(name, known)
  }

  #isHeeded(key: string, { stamp }: KnownMarket): boolean {
    return stamp !== null && stamp === this.#stampOf(key)
  }

  #stampOf(key: string): number | null {
    return this.#heeds?.stampOf(key) ?? null
  }

  async #checked(name: Name, known: KnownMarket): Promise<KnownMarket> {
    const startMs = this.#elapsedMs()
    const stamp = this.#stampOf(nameOf(name))
    try {
      const { answer: revision, epoch } = await this.#whileHeard(name, () => this.#revisions.ask(name))
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
    const { answer: row, epoch } = await this.#whileHeard(name, () => this.#rows.ask(name))
    // It may be newer than what was heard: what this thread answers, the others must not answer older.
    this.#shares?.changed([name])
    const bytes = 200 + (row?.dates.length ?? 0) * 16
    const known: KnownMarket = { row, days: new Map(), epoch, stamp, bytes }
    this.forget(name.venue, name.market)
    this.#markets.set(nameOf(name), known)
    this.#bytes += bytes
    this.#makeRoom(known)
    return known
  }

  /** The answer, and the epoch in which it is sure. */
  async #whileHeard<T>(name: Name, ask: () => Promise<T>): Promise<{ answer: T; epoch: number }> {
    const epoch = this.#epoch
    this.#onTheirWay++
    try {
      const answer = await ask()
      return { answer, epoch: this.#changedMeanwhile.has(nameOf(name)) ? UNSURE : epoch }
    } finally {
      this.#onTheirWay--
      if (this.#onTheirWay === 0) this.#changedMeanwhile.clear()
    }
  }

  #keep(name: Name, known: KnownMarket, day: DayRow): void {
    known.days.set(day.date, day)
    if (this.#markets.get(nameOf(name)) !== known) return
    const bytes = day.head.length + 8 * day.pieces.length + 400
    known.bytes += bytes
    this.#bytes += bytes
    this.#makeRoom(known)
  }

  /** Those that were asked for last stay. */
  #makeRoom(asked: KnownMarket): void {
    for (const [name, each] of this.#markets) {
      if (this.#bytes <= BYTES_MAX) return
      if (each === asked) continue
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

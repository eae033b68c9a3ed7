// Caches the entries of markets and the rows of their days, for one thread. While the database reports changes,
// cached rows are used without a check. Otherwise a market's entry is checked once in each epoch. If the database
// does not answer, cached rows are used. Requests that are made at the same time are sent as one.

import { DataError } from '../failures.ts'
import { entryKey, removedKey } from '../rows/keys.ts'
import { hasRevision, type RowKey, type Rows } from '../rows/rows.ts'
import { Batched } from './batched.ts'
import type { ChangeNotices } from './change-notices.ts'
import { type Listener, type NamedMarket, namedMarket, nameOf } from './cluster-rows.ts'

export type Value = Uint8Array | undefined

/** Approximate limit of cached rows, bytes. */
const BYTES_MAX = 64 << 20
const MARKET_BYTES = 400
export const ROW_BYTES = 200
const TRIES = 8
/** If a query has waited this long for the database in vain, no rows are checked for the same length of time, so that
 *  other queries do not wait too. */
const AWAY_MS = 1_000
/** The epoch of rows that must be checked at their next use. */
const UNSURE = -1

/** The cached rows of one market. `entry` holds two values: the market's entry, and the row that replaces it when the
 *  market has no days left. `days` holds the day rows that were read with this entry. `dates` holds the keys of all
 *  day rows. `stamp` is the stamp from shared memory when the entry was requested. */
export type Known = {
  entry: [Value, Value]
  days: Map<RowKey, Value>
  dates: RowKey[] | undefined
  epoch: number
  stamp: number | null
  bytes: number
}

export type CacheOptions = {
  /** Makes every query an epoch of its own. For a thread in which nothing calls `refresh`. */
  isEachCallChecked?: boolean
  /** Receives the changes that this thread reads or is notified of, for the other threads. */
  shares?: ChangeNotices | undefined
  /** Holds the changes that another thread is notified of. For a thread that does not listen itself. */
  follows?: ChangeNotices | undefined
  /** Returns the time of a clock that never steps back, ms. */
  elapsedMs?: () => number
}

/** Caches rows of markets. The methods identify a market by the name that `nameOf` returns. */
export class MarketCache implements Listener {
  readonly #values: Batched<readonly RowKey[], Value[]>
  readonly #isEachCallChecked: boolean
  readonly #shares: ChangeNotices | undefined
  readonly #follows: ChangeNotices | undefined
  readonly #elapsedMs: () => number
  /** The cached rows by market, in the order of their last use, the latest last. */
  readonly #markets = new Map<string, Known>()
  /** Markets that changed while reads were pending: the results may not contain the change. */
  readonly #changedMeanwhile = new Set<string>()
  #pendingReads = 0
  #bytes = 0
  #epoch = 0
  #isNotified = false
  #awayUntilMs = 0

  constructor(
    rows: Rows,
    { isEachCallChecked = false, shares, follows, elapsedMs = () => performance.now() }: CacheOptions = {},
  ) {
    this.#values = new Batched((questions) => readTogether(rows, questions))
    this.#isEachCallChecked = isEachCallChecked
    this.#shares = shares
    this.#follows = follows
    this.#elapsedMs = elapsedMs
  }

  /** Begins a new epoch, unless the database reports changes. */
  refresh(): void {
    if (!this.#isNotified) this.#epoch++
  }

  changed(markets: readonly NamedMarket[]): void {
    this.#shares?.changed(markets)
    for (const market of markets) this.forget(nameOf(market))
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

  /** Drops the cached rows of a market. Results of reads of this market that are still pending do not count as
   *  current. */
  forget(name: string): void {
    this.#drop(name)
    if (this.#pendingReads > 0) this.#changedMeanwhile.add(name)
  }

  /** Returns the cached rows of a market, for a commit that has changed the market. Returns undefined if none are
   *  cached. */
  changing(name: string): Known | undefined {
    if (this.#pendingReads > 0) this.#changedMeanwhile.add(name)
    return this.#markets.get(name)
  }

  /** Returns the rows of a market, including the days that `choose` returns, all as of one moment. Reads the days that
   *  are not cached. */
  async withDays(name: string, choose: (known: Known) => Promise<RowKey[]>): Promise<Known> {
    let known = await this.known(name)
    for (let tries = 1; tries <= TRIES; tries++) {
      const hadDates = known.dates !== undefined
      const days = await choose(known)
      const missing = days.filter((key) => !known.days.has(key))
      // If the dates were read just now, they may be newer than the entry. The entry is then checked again.
      if (missing.length === 0 && hadDates === (known.dates !== undefined)) return known
      const read = await this.#read(name, known, missing)
      if (read === known) return known
      known = read
    }
    const { venue, market } = namedMarket(name)
    throw new DataError('store_unavailable', `The ${venue} market ${market} changes all the time`)
  }

  /** Returns the rows of a market. The entry is current; if the database does not answer, it is the cached one. Days
   *  may be missing. */
  known(name: string): Known | Promise<Known> {
    const known = this.#markets.get(name)
    if (known === undefined) return this.#read(name, undefined, [])
    this.#markets.delete(name)
    this.#markets.set(name, known)
    const isCurrent = known.stamp !== null && known.stamp === this.#stampOf(name)
    const isSure = isCurrent || (known.epoch === this.#epoch && (this.#isNotified || !this.#isEachCallChecked))
    if (isSure || (this.#awayUntilMs > 0 && this.#elapsedMs() < this.#awayUntilMs)) return known
    return this.#checked(name, known)
  }

  #stampOf(name: string): number | null {
    return this.#follows?.stampOf(name) ?? null
  }

  async #checked(name: string, known: Known): Promise<Known> {
    const startMs = this.#elapsedMs()
    try {
      return await this.#read(name, known, [])
    } catch (error) {
      if (!(error instanceof DataError && error.code === 'store_unavailable')) throw error
      const nowMs = this.#elapsedMs()
      if (nowMs - startMs >= AWAY_MS) this.#awayUntilMs = nowMs + AWAY_MS
      return known
    }
  }

  /** Reads the entry of a market, and days with it. Adds these days to `known` and returns it if the entry is
   *  unchanged. Otherwise returns a new object that replaces `known`. */
  async #read(name: string, known: Known | undefined, days: readonly RowKey[]): Promise<Known> {
    const { venue, market } = namedMarket(name)
    const stamp = this.#stampOf(name)
    const epoch = this.#epoch
    let values: Value[]
    let isSure = false
    this.#pendingReads++
    try {
      values = await this.#values.ask([entryKey(venue, market), removedKey(venue, market), ...days])
      isSure = !this.#changedMeanwhile.has(name)
    } finally {
      this.#pendingReads--
      if (this.#pendingReads === 0) this.#changedMeanwhile.clear()
    }
    const entry: [Value, Value] = [values[0], values[1]]
    let current = known
    if (known === undefined || !isSameEntry(known.entry, entry)) {
      // The entry may be newer than the last notification: once this thread has answered with it, other threads must
      // not answer with an older one.
      this.#shares?.changed([{ venue, market }])
      current = { entry, days: new Map(), dates: undefined, epoch: UNSURE, stamp: null, bytes: MARKET_BYTES }
      this.#drop(name)
      this.#markets.set(name, current)
      this.#bytes += current.bytes
    }
    current!.epoch = isSure ? epoch : UNSURE
    current!.stamp = isSure ? stamp : null
    for (const [index, key] of days.entries()) current!.days.set(key, values[index + 2])
    this.makeRoom(
      name,
      current!,
      days.reduce((sum, _, index) => sum + ROW_BYTES + (values[index + 2]?.length ?? 0), 0),
    )
    return current!
  }

  #drop(name: string): void {
    this.#bytes -= this.#markets.get(name)?.bytes ?? 0
    this.#markets.delete(name)
  }

  /** Counts added bytes, and evicts the markets that were used least recently. */
  makeRoom(name: string, known: Known, added: number): void {
    if (this.#markets.get(name) !== known) return
    known.bytes += added
    this.#bytes += added
    for (const [oldest, each] of this.#markets) {
      if (this.#bytes <= BYTES_MAX) return
      if (each !== known) this.#drop(oldest)
    }
  }
}

const isSameEntry = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.every((value, index) => hasRevision(value, b[index]))

async function readTogether(rows: Rows, questions: readonly (readonly RowKey[])[]): Promise<Value[][]> {
  const values = await rows.get(questions.flat())
  let at = 0
  return questions.map(({ length }) => {
    at += length
    return values.slice(at - length, at)
  })
}

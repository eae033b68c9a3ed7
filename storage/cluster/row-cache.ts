// The rows of markets as this thread knows them. Whoever asks in an epoch gets rows that were checked in it: one
// question to the database tells the revisions of all markets that are asked for at a time, and rows of the same
// revision are used again. Where the database does not answer, rows that are known answer.

import { DataError } from '../failures.ts'
import type { PartitionKey } from '../partition-key.ts'
import type { Venue } from '../venue.ts'
import type { ClusterDatabase, DayRow, MarketRow } from './database/cluster-database.ts'
import { nameOfPiece, openPieces, type PlacedPiece } from './segment/pieces.ts'

/** How much of rows is kept, about. */
const BYTES_MAX = 64 << 20
const TRIES = 8

export type KnownDay = DayRow & { placed?: Map<string, PlacedPiece> }
type KnownMarket = { row: MarketRow | undefined; days: Map<string, KnownDay>; epoch: number; bytes: number }
type Name = { venue: Venue; market: string }

export class RowCache {
  readonly #database: ClusterDatabase
  readonly #isEachCallChecked: boolean
  readonly #markets = new Map<string, KnownMarket>()
  #bytes = 0
  #epoch = 0
  #waiting: { name: Name; tell: (revision: number) => void; fail: (error: unknown) => void }[] = []
  #isAsking = false

  /** With `isEachCallChecked`, every question is an epoch of its own. */
  constructor(database: ClusterDatabase, isEachCallChecked = false) {
    this.#database = database
    this.#isEachCallChecked = isEachCallChecked
  }

  /** Begins an epoch. */
  refresh(): void {
    this.#epoch++
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
        const { revision, days } = await this.#database.days(venue, market, missing)
        if (revision !== known.row!.revision) {
          this.forget(venue, market)
          if (tries === TRIES)
            throw new DataError('store_unavailable', `The ${venue} market ${market} changes all the time`)
          continue
        }
        for (const day of days) this.#keep(known, day)
      }
      return dates.flatMap((date) => known.days.get(date) ?? [])
    }
  }

  async day({ venue, market, date }: PartitionKey): Promise<KnownDay | undefined> {
    return (await this.days(venue, market, (dates) => (dates.includes(date) ? [date] : [])))[0]
  }

  async #known(name: Name): Promise<KnownMarket> {
    const epoch = this.#epoch
    const key = nameOf(name)
    const known = this.#markets.get(key)
    if (known !== undefined) {
      this.#markets.delete(key)
      this.#markets.set(key, known)
      if (known.epoch === epoch && !this.#isEachCallChecked) return known
      try {
        if ((await this.#revision(name)) === (known.row?.revision ?? 0)) {
          known.epoch = epoch
          return known
        }
      } catch (error) {
        if (isAway(error)) return known
        throw error
      }
    }
    const row = await this.#database.marketRow(name.venue, name.market)
    const bytes = 200 + (row?.dates.length ?? 0) * 16
    const fresh: KnownMarket = { row, days: new Map(), epoch, bytes }
    this.forget(name.venue, name.market)
    this.#markets.set(key, fresh)
    this.#bytes += bytes
    return fresh
  }

  #keep(known: KnownMarket, day: DayRow): void {
    known.days.set(day.date, day)
    const bytes = day.head.length + 8 * day.pieces.length + 400
    known.bytes += bytes
    this.#bytes += bytes
    for (const [name, each] of this.#markets) {
      if (this.#bytes <= BYTES_MAX) break
      if (each === known) continue
      this.#bytes -= each.bytes
      this.#markets.delete(name)
    }
  }

  /** As of a moment after the call: whoever comes while a question is on its way waits for the next one. */
  #revision(name: Name): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.#waiting.push({ name, tell: resolve, fail: reject })
    if (!this.#isAsking) void this.#ask()
    return promise
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.length > 0) {
      const asked = this.#waiting
      this.#waiting = []
      try {
        const revisions = await this.#database.revisions(asked.map(({ name }) => name))
        for (const [index, { tell }] of asked.entries()) tell(revisions[index]!)
      } catch (error) {
        for (const { fail } of asked) fail(error)
      }
    }
    this.#isAsking = false
  }
}

export function placedPieces(key: PartitionKey, day: KnownDay): Map<string, PlacedPiece> {
  day.placed ??= new Map(openPieces(key, day.pieces).map((piece) => [nameOfPiece(piece), piece]))
  return day.placed
}

const isAway = (error: unknown): boolean => error instanceof DataError && error.code === 'store_unavailable'
const nameOf = ({ venue, market }: Name): string => `${venue} ${market}`

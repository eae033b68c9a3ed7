// The rows that many markets change, within one planned commit: sums of dates and counters of venues.

import { changeSums, type DaySums, NO_SUMS, totalsOf } from '../finding/day-totals.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import type { Venue } from '../venue.ts'
import { below, countersKey, keyOf, sumsKey } from './keys.ts'
import { type Counters, openCounters, openSums, sealCounters, sealSums } from './market-rows.ts'
import { ALL_ROWS, type Row, type RowCommit, type RowKey, type Rows, revisionOf } from './rows.ts'

/** A commit while it is planned. */
export type Write = { expect: RowCommit['expect'][number][]; put: Row[]; remove: RowKey[] }

type Shared<T> = { key: RowKey; stored: Uint8Array | undefined; value: T; isChanged: boolean }

export class SharedRows {
  readonly #sums = new Map<string, Shared<DaySums>>()
  readonly #counters = new Map<Venue, Shared<Counters>>()
  /** Venues for which the numbers of the other shards were read. */
  readonly #numbered = new Set<Venue>()

  constructor(shard: string, venues: Iterable<Venue>, days: Iterable<{ venue: Venue; date: string }> = []) {
    for (const venue of venues) {
      const key = countersKey(venue, shard)
      this.#counters.set(venue, { key, stored: undefined, value: openCounters(key, undefined), isChanged: false })
    }
    for (const { venue, date } of days) {
      const key = sumsKey(venue, date, shard)
      this.#sums.set(`${venue} ${date}`, { key, stored: undefined, value: openSums(key, undefined), isChanged: false })
    }
  }

  /** The keys of the rows whose values are passed to `open`, in the same order. */
  get keys(): RowKey[] {
    return [...this.#sums.values(), ...this.#counters.values()].map(({ key }) => key)
  }

  open(stored: readonly (Uint8Array | undefined)[]): void {
    let at = 0
    for (const each of this.#sums.values()) {
      each.stored = stored[at++]
      each.value = { ...openSums(each.key, each.stored) }
    }
    for (const each of this.#counters.values()) {
      each.stored = stored[at++]
      each.value = { ...openCounters(each.key, each.stored) }
    }
  }

  changeDay(
    { venue, date }: { venue: Venue; date: string },
    before: PartitionHead | null,
    after: PartitionHead | null,
  ) {
    const sums = this.#sums.get(`${venue} ${date}`)!
    sums.isChanged = true
    changeSums(sums.value, before && totalsOf(before), after && totalsOf(after))
    const counters = this.#counters.get(venue)!
    if (after === null || after.lastMs <= (counters.value.lastRecordMs ?? Number.NEGATIVE_INFINITY)) return
    counters.isChanged = true
    counters.value.lastRecordMs = after.lastMs
  }

  /** Adds `added`, 1 or -1, to the number of stored markets. */
  countMarket(venue: Venue, added: number): void {
    const counters = this.#counters.get(venue)!
    counters.isChanged = true
    counters.value.markets += added
    counters.value.changes++
  }

  /** Returns a new number for a market that becomes known. */
  async nextNumber(rows: Rows, venue: Venue): Promise<number> {
    const counters = this.#counters.get(venue)!
    const { value } = counters
    if (!this.#numbered.has(venue)) {
      const shards = await readCounters(rows, venue)
      value.numbers = Math.max(value.numbers, ...shards.map(({ numbers }) => numbers))
      this.#numbered.add(venue)
    }
    counters.isChanged = true
    return ++value.numbers
  }

  finish(write: Write): void {
    for (const { key, stored, value, isChanged } of this.#counters.values()) {
      if (!isChanged) continue
      write.expect.push({ key, revision: revisionOf(stored) })
      write.put.push({ key, value: sealCounters(key, value) })
    }
    for (const { key, stored, value, isChanged } of this.#sums.values()) {
      if (!isChanged) continue
      if (stored === undefined && isZero(value)) continue
      write.expect.push({ key, revision: revisionOf(stored) })
      if (isZero(value)) write.remove.push(key)
      else write.put.push({ key, value: sealSums(key, value) })
    }
  }
}

const isZero = (sums: DaySums): boolean => Bun.deepEquals(sums, NO_SUMS)

/** Reads the counters of each shard, of one venue or of all. */
export async function readCounters(rows: Rows, venue?: Venue): Promise<Counters[]> {
  const range = below(venue === undefined ? 'v' : keyOf('v', venue))
  const shards = await rows.range({ ...range, limit: ALL_ROWS })
  return shards.map(({ key, value }) => openCounters(key, value))
}

/** Returns the number of stored markets. */
export async function countMarkets(rows: Rows): Promise<number> {
  return (await readCounters(rows)).reduce((sum, { markets }) => sum + markets, 0)
}

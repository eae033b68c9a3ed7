// The database of a cluster in memory, for tests: the double of PostgreSQL. What it answers beyond its rows, a
// catalogue in memory answers, which gets every commit too.

import type { PartitionChange } from '../../../storage/catalogue.ts'
import {
  type ClusterDatabase,
  type ClusterStats,
  type Commit,
  type DayRow,
  type DaysOf,
  type Listener,
  type MarketDays,
  type MarketRow,
  type Move,
  miscounted,
  type NamedSegment,
  type RowChange,
  SegmentSwept,
  type UpkeepCounts,
} from '../../../storage/cluster/database/cluster-database.ts'
import { changedIndex, type PieceIndex, sealPieces } from '../../../storage/cluster/segment/pieces.ts'
import type { PartitionKey } from '../../../storage/partition-key.ts'
import { DAY_MS } from '../../../storage/units.ts'
import type { Venue } from '../../../storage/venue.ts'
import { MemoryCatalogue } from '../memory-store/memory-catalogue.ts'
import { datesOf, emptyState, entryOf, type MemoryState, nameOf } from '../memory-store/memory-state.ts'

type Row = { head: Uint8Array; index: PieceIndex<string>; isMoved: boolean }
type Named = { bytes: number; rows: number; unnamedMs: number | null; isMarked: boolean; sweptMs: number | null }

export type MemoryRows = {
  state: MemoryState
  /** By venue and market, then by date. */
  rows: Map<string, Map<string, Row>>
  segments: Map<string, Named>
  listeners: Set<Listener>
}

export const emptyRows = (): MemoryRows => ({
  state: emptyState(),
  rows: new Map(),
  segments: new Map(),
  listeners: new Set(),
})

export class MemoryDatabase extends MemoryCatalogue implements ClusterDatabase {
  readonly #all: MemoryRows
  readonly #clock: () => number

  /** All who are given the same rows see the same. */
  constructor(rows: MemoryRows = emptyRows(), clock: () => number = Date.now) {
    super(rows.state)
    this.#all = rows
    this.#clock = clock
  }

  async marketRows(markets: readonly { venue: Venue; market: string }[]): Promise<(MarketRow | undefined)[]> {
    return markets.map((name) => this.#marketRow(name))
  }

  #marketRow({ venue, market }: { venue: Venue; market: string }): MarketRow | undefined {
    const stored = this.#all.state.markets.get(nameOf(venue, market))
    if (stored === undefined) return undefined
    const { recordCount } = entryOf(stored) ?? { recordCount: 0 }
    const { revision, base } = stored
    return { revision, base, recordCount, dates: datesOf(stored) }
  }

  async revisions(markets: readonly { venue: Venue; market: string }[]): Promise<number[]> {
    return markets.map(({ venue, market }) => this.#revision(venue, market))
  }

  async days(questions: readonly DaysOf[]): Promise<MarketDays[]> {
    return questions.map((question) => this.#daysOf(question))
  }

  #daysOf({ venue, market, dates }: DaysOf): MarketDays {
    const rows = this.#rowsOf(venue, market)
    const days = dates.flatMap((date) => {
      const row = rows.get(date)
      return row === undefined ? [] : [dayRow({ venue, market, date }, row)]
    })
    return { revision: this.#revision(venue, market), days }
  }

  async commitRows({ segment, changes }: Commit): Promise<number[]> {
    if (segment !== null) this.#name(segment)
    const isTaken = ({ venue, market, revision }: RowChange) => this.#revision(venue, market) === revision
    const taken = changes.filter(isTaken)
    const refused = changes.flatMap((change, index) => (taken.includes(change) ? [] : [index]))
    for (const { venue, market, revision, days } of taken) {
      const rows = this.#rowsOf(venue, market)
      for (const { date, head, put, removed } of days) {
        const row = rows.get(date)
        const none: PieceIndex<string> = { segments: [], pieces: [] }
        const before = row?.index ?? none
        const after = head === null ? none : changedIndex(before, { put, removed }, segment?.key ?? null)
        this.#count(before.segments, after.segments)
        if (head === null) rows.delete(date)
        else rows.set(date, { head: head.sealed.slice(), index: after, isMoved: false })
      }
      this.#all.rows.set(nameOf(venue, market), rows)
      const partitions = days.map(({ date, before, head }): PartitionChange => {
        const key = { venue, market, date }
        return { key, before, head: head?.decoded ?? null, books: null, put: [], removed: [] }
      })
      // Applies it before it gives way to anybody.
      void super.commit([{ venue, market, revision, partitions }])
    }
    if (taken.length > 0) for (const listener of this.#all.listeners) listener.changed(taken)
    return refused
  }

  async listen(listener: Listener): Promise<() => Promise<void>> {
    this.#all.listeners.add(listener)
    listener.watching()
    return async () => void this.#all.listeners.delete(listener)
  }

  async move(segment: { key: string; bytes: number }, moves: readonly Move[]): Promise<number[]> {
    this.#name(segment)
    const refused: number[] = []
    for (const [index, { venue, market, date, before, put }] of moves.entries()) {
      const row = this.#rowsOf(venue, market).get(date)
      const key = { venue, market, date }
      if (row === undefined || Buffer.compare(sealPieces(key, row.index.pieces), before) !== 0) {
        refused.push(index)
        continue
      }
      const after = changedIndex(row.index, { put, removed: [] }, segment.key)
      this.#count(row.index.segments, after.segments)
      Object.assign(row, { index: after, isMoved: true })
    }
    return refused
  }

  async unmoved(
    venue: Venue,
    date: string,
    { after, limit }: { after: string; limit: number },
  ): Promise<{ market: string; day: DayRow }[]> {
    const found = [...this.#all.rows].flatMap(([name, rows]) => {
      const [of, market] = name.split(' ') as [Venue, string]
      const row = rows.get(date)
      if (of !== venue || market <= after || row === undefined || row.isMoved) return []
      return [{ market, day: dayRow({ venue, market, date }, row) }]
    })
    return found.sort((a, b) => (a.market < b.market ? -1 : 1)).slice(0, limit)
  }

  async unmovedDates(venue: Venue, before: string): Promise<string[]> {
    const dates = [...this.#all.rows].flatMap(([name, rows]) => {
      if (!name.startsWith(`${venue} `)) return []
      return [...rows].filter(([date, { isMoved }]) => date < before && !isMoved).map(([date]) => date)
    })
    return [...new Set(dates)].sort()
  }

  async unnamed(graceMs: number, { after, limit }: { after: string; limit: number }): Promise<NamedSegment[]> {
    const found = [...this.#all.segments].filter(([key, named]) => {
      if (key <= after || named.sweptMs !== null) return false
      return named.isMarked || this.#isUnnamed(named, graceMs)
    })
    const inOrder = found.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit)
    return inOrder.map(([key, { bytes }]) => ({ key, bytes }))
  }

  async unknown(keys: readonly string[]): Promise<string[]> {
    return keys.filter((key) => this.#all.segments.get(key)?.isMarked ?? true)
  }

  async mark(keys: readonly string[], graceMs: number): Promise<string[]> {
    return keys.filter((key) => {
      const named = this.#all.segments.get(key)
      if (named === undefined) {
        this.#all.segments.set(key, { bytes: 0, rows: 0, unnamedMs: null, isMarked: true, sweptMs: null })
        return true
      }
      named.isMarked ||= this.#isUnnamed(named, graceMs)
      return named.isMarked
    })
  }

  async swept(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const named = this.#all.segments.get(key)
      if (named?.isMarked) named.sweptMs = this.#clock()
    }
  }

  async forgetMarks(keptMs: number): Promise<void> {
    for (const [key, { sweptMs }] of this.#all.segments) {
      if (sweptMs !== null && this.#clock() - sweptMs >= keptMs) this.#all.segments.delete(key)
    }
  }

  async *segments(): AsyncGenerator<NamedSegment> {
    const named = [...this.#all.segments].filter(([, { rows }]) => rows > 0)
    for (const [key, { bytes }] of named.sort(([a], [b]) => (a < b ? -1 : 1))) yield { key, bytes }
  }

  async figures(): Promise<ClusterStats> {
    const markets = [...this.#all.rows.values()].filter(({ size }) => size > 0)
    const named = [...this.#all.segments.values()].filter(({ rows }) => rows > 0)
    return {
      markets: markets.length,
      partitions: markets.reduce((sum, { size }) => sum + size, 0),
      segments: named.length,
      segmentBytes: named.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  }

  async upkeep(): Promise<UpkeepCounts> {
    const today = new Date(this.#clock()).toISOString().slice(0, 10)
    const days = [...this.#all.rows.values()].flatMap((rows) => [...rows])
    const old = [...this.#all.segments.values()].filter(
      (each) => each.sweptMs === null && this.#isUnnamed(each, DAY_MS),
    )
    return {
      daysToCompact: days.filter(([date, { isMoved }]) => date < today && !isMoved).length,
      segmentsToSweep: old.length,
    }
  }

  /** What rows say of markets is worked out whenever it is asked for: it cannot differ. */
  async damage(): Promise<string[]> {
    const counts = new Map<string, number>()
    const rows = [...this.#all.rows.values()].flatMap((days) => [...days.values()])
    for (const { index } of rows) for (const key of index.segments) counts.set(key, (counts.get(key) ?? 0) + 1)
    const counted = [...this.#all.segments].map(([key, named]) => ({ key, named: counts.get(key) ?? 0, ...named }))
    const unknown = [...counts.keys()].filter((key) => !this.#all.segments.has(key))
    return [
      ...counted
        .filter(({ rows, named }) => rows !== named)
        .map(({ key, rows, named }) => miscounted(key, rows, named)),
      ...unknown.map((key) => `Rows name the segment ${key}, which the catalogue does not know`),
    ]
  }

  async close(): Promise<void> {}

  #revision(venue: Venue, market: string): number {
    return this.#all.state.markets.get(nameOf(venue, market))?.revision ?? 0
  }

  #rowsOf(venue: Venue, market: string): Map<string, Row> {
    return this.#all.rows.get(nameOf(venue, market)) ?? new Map()
  }

  #name({ key, bytes }: { key: string; bytes: number }): void {
    if (this.#all.segments.has(key)) throw new SegmentSwept(key)
    this.#all.segments.set(key, { bytes, rows: 0, unnamedMs: this.#clock(), isMarked: false, sweptMs: null })
  }

  #isUnnamed({ unnamedMs }: Named, graceMs: number): boolean {
    return unnamedMs !== null && this.#clock() - unnamedMs >= graceMs
  }

  /** A row names other segments than before. */
  #count(before: readonly string[], after: readonly string[]): void {
    for (const key of after) if (!before.includes(key)) this.#all.segments.get(key)!.rows++
    for (const key of before) if (!after.includes(key)) this.#all.segments.get(key)!.rows--
    for (const key of [...before, ...after]) {
      const named = this.#all.segments.get(key)!
      named.unnamedMs = named.rows > 0 ? null : (named.unnamedMs ?? this.#clock())
    }
  }
}

const dayRow = (key: PartitionKey, { head, index }: Row): DayRow => ({
  date: key.date,
  head: head.slice(),
  pieces: sealPieces(key, index.pieces),
  segments: [...index.segments],
})

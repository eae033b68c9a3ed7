// Leases in memory, for tests: the double of PostgreSQL's.

import { DataError } from '../../failures.ts'
import { type Fence, FencedOut } from '../../fence.ts'
import {
  type HeldLease,
  type LeaseGroup,
  type LeaseRow,
  type Leases,
  type LeaseTurn,
  leaseName,
  type ShardHeard,
  type TakenLease,
} from './leases.ts'

type Row = { group: string; holder: string | null; epoch: number; expiresMs: number; heard: ShardHeard }

export type LeaseRows = {
  leases: Map<string, Row>
  /** When each recorder expires, by group and holder. */
  recorders: Map<string, Map<string, number>>
}

export const emptyLeases = (): LeaseRows => ({ leases: new Map(), recorders: new Map() })

/** Throws FencedOut. */
export function assertHeld({ leases }: LeaseRows, fences: readonly Fence[]): void {
  const isHeld = ({ lease, holder, epoch }: Fence) => {
    const row = leases.get(lease)
    return row?.holder === holder && row.epoch === epoch
  }
  const lost = fences.filter((fence) => !isHeld(fence))
  if (lost.length > 0) throw new FencedOut(lost)
}

export class MemoryLeases implements Leases {
  readonly #rows: LeaseRows
  readonly #clock: () => number
  /** Whether the database is away for this one. */
  isAway = false

  /** All who are given the same rows share them. `clock` is the database's. */
  constructor(rows: LeaseRows, clock: () => number) {
    this.#rows = rows
    this.#clock = clock
  }

  async prepare(group: string, count: number): Promise<void> {
    this.#assertThere()
    const { leases } = this.#rows
    if ([...leases.values()].some((row) => row.group === group)) return
    for (let shard = 0; shard < count; shard++) {
      const heard = { untilMs: null, books: null }
      leases.set(leaseName(group, shard), { group, holder: null, epoch: 0, expiresMs: 0, heard })
    }
  }

  async turn({ group, holder, ttlMs, held }: LeaseTurn): Promise<LeaseGroup> {
    this.#assertThere()
    const nowMs = this.#clock()
    const recorders = this.#rows.recorders.get(group) ?? new Map<string, number>()
    this.#rows.recorders.set(group, recorders)
    for (const [name, expiresMs] of recorders) if (expiresMs <= nowMs) recorders.delete(name)
    recorders.set(holder, nowMs + ttlMs)
    for (const lease of held) this.#ofHolder(lease, (row) => Object.assign(row, { expiresMs: nowMs + ttlMs }))
    const rows = [...this.#rows.leases].filter(([, row]) => row.group === group)
    const seen = rows.map(([lease, row]): LeaseRow => ({ lease, ...seenOf(row, nowMs) }))
    return {
      recorders: [...recorders.keys()].sort(),
      leases: seen.sort((a, b) => (a.lease < b.lease ? -1 : 1)),
    }
  }

  async take(seen: LeaseRow, { holder, ttlMs }: { holder: string; ttlMs: number }): Promise<TakenLease | undefined> {
    this.#assertThere()
    const row = this.#rows.leases.get(seen.lease)
    const nowMs = this.#clock()
    if (row === undefined || row.epoch !== seen.epoch || (row.holder !== null && row.expiresMs > nowMs))
      return undefined
    Object.assign(row, { holder, epoch: row.epoch + 1, expiresMs: nowMs + ttlMs })
    return { fence: { lease: seen.lease, holder, epoch: row.epoch }, heard: { ...row.heard } }
  }

  async giveBack(held: readonly HeldLease[]): Promise<void> {
    this.#assertThere()
    for (const lease of held) this.#ofHolder(lease, (row) => Object.assign(row, { holder: null }))
  }

  async leave(group: string, holder: string): Promise<void> {
    this.#assertThere()
    this.#rows.recorders.get(group)?.delete(holder)
  }

  async close(): Promise<void> {}

  #assertThere(): void {
    if (this.isAway) throw new DataError('store_unavailable', 'The catalogue does not answer')
  }

  /** Notes what was heard, and does the rest, where the lease is still its holder's. */
  #ofHolder({ fence, heard }: HeldLease, change: (row: Row) => void): void {
    const row = this.#rows.leases.get(fence.lease)
    if (row?.holder !== fence.holder || row.epoch !== fence.epoch) return
    if (heard !== null) row.heard = { untilMs: heard.untilMs, books: heard.books ?? row.heard.books }
    change(row)
  }
}

function seenOf({ holder, epoch, expiresMs }: Row, nowMs: number): Omit<LeaseRow, 'lease'> {
  return { holder, epoch, state: holder === null ? 'free' : expiresMs <= nowMs ? 'expired' : 'held' }
}

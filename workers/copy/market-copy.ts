// Copies days of one market from one store into another: byte for byte, with the books that they start from. A commit
// takes effect only if the market has not changed meanwhile; otherwise it is planned again.

import type { CarriedBooks } from '../../storage/block-store.ts'
import type { DateRange, MarketRevision, StoredDay } from '../../storage/catalogue.ts'
import { DataError } from '../../storage/failures.ts'
import { type Source, sourcesOf, storedRecords } from '../../storage/format/head-layers.ts'
import type { PartitionHead } from '../../storage/format/partition-head.ts'
import type { Store } from '../../storage/open-store.ts'
import type { PartitionKey } from '../../storage/partition-key.ts'
import type { Venue } from '../../storage/venue.ts'
import { isSameBytes } from '../bytes/same-bytes.ts'
import { MarketPlan } from '../dates/market-plan.ts'
import { booksOfSource } from '../layers/layer.ts'
import type { PartitionChange } from '../partition/partition-types.ts'
import { changeOf, type Day, digestOf, hasRecordsOf, readDay, type Starts } from './copied-day.ts'

const TRIES = 20
/** Days are committed together up to this number of bytes. All these bytes are in memory. */
const BYTES_A_COMMIT = 16 << 20

export type Copying = { source: Store; target: Store }
export type MarketName = { venue: Venue; market: string }
/** `date` is null if the reason concerns the whole market. */
export type LeftOut = {
  date: string | null
  why: 'other_records' | 'follows_others' | 'damaged' | 'changing'
  what: string
}
/** The result for the days of a market; each day is in one of the lists. */
export type Copied = { copied: { date: string; records: number; bytes: number }[]; same: string[]; leftOut: LeftOut[] }

/** Copies the days, and adds the result of each to `done`. Rejects with DataError. */
export async function copyMarket(copying: Copying, name: MarketName, range: DateRange, done: Copied): Promise<void> {
  for (let tries = 1; ; tries++) {
    const before = await revisionsOf(copying, name)
    const days = await daysLeft(copying.source, name, range, done)
    if (days.length === 0) return
    const plan = new CopyPlan(copying, name, before.target)
    if (tries > TRIES) for (const { date } of days) plan.leaveOut(date, 'changing', CHANGING)
    else await plan.add(days)
    const isChanged = tries <= TRIES && !Bun.deepEquals(await revisionsOf(copying, name), before)
    if (isChanged || !(await plan.commit())) continue
    done.copied.push(...plan.outcome.copied)
    done.same.push(...plan.outcome.same)
    done.leftOut.push(...plan.outcome.leftOut)
    tries = 0
  }
}

async function revisionsOf({ source, target }: Copying, { venue, market }: MarketName) {
  source.refresh()
  target.refresh()
  const { revision } = await source.catalogue.revision(venue, market)
  return { source: revision, target: await target.catalogue.revision(venue, market) }
}

async function daysLeft({ catalogue }: Store, { venue, market }: MarketName, range: DateRange, done: Copied) {
  const known = new Set([...done.copied, ...done.leftOut].map(({ date }) => date).concat(done.same))
  return (await catalogue.heads(venue, market, range)).filter(({ date }) => !known.has(date))
}

/** Plans one commit of the target, which must still have the revision `planned` at the commit. For days that the
 *  target does not have, adds `planned.base` to ids and revisions. */
class CopyPlan {
  readonly outcome: Copied = { copied: [], same: [], leftOut: [] }
  readonly #copying: Copying
  readonly #name: MarketName
  readonly #planned: MarketRevision
  #stored = new Map<string, PartitionHead>()
  readonly #placed = new Map<string, PartitionChange>()

  constructor(copying: Copying, name: MarketName, planned: MarketRevision) {
    this.#copying = copying
    this.#name = name
    this.#planned = planned
  }

  /** Adds days until one commit is full. */
  async add(days: readonly StoredDay[]): Promise<void> {
    const { catalogue } = this.#copying.target
    const stored = await catalogue.heads(this.#name.venue, this.#name.market)
    this.#stored = new Map(stored.map(({ date, head }) => [date, head]))
    for (const { date, head } of days) {
      await this.#addDay(date, head).catch((error: unknown) => this.leaveOut(date, 'damaged', damageIn(error)))
      if (this.outcome.copied.reduce((sum, { bytes }) => sum + bytes, 0) >= BYTES_A_COMMIT) return
    }
  }

  leaveOut(date: string, why: LeftOut['why'], what: string): void {
    this.outcome.leftOut.push({ date, why, what })
  }

  /** Returns whether the commit took effect. */
  async commit(): Promise<boolean> {
    if (this.#placed.size === 0) return true
    const { target } = this.#copying
    const plan = new MarketPlan(target, this.#name.venue, this.#name.market, this.#planned)
    for (const change of this.#placed.values()) plan.place(change)
    // A copied day has its opening books already. Only the stored day after it may need new ones.
    for (const { key, head } of this.#placed.values()) {
      const sources = sourcesOf(head!)
      const isFollowed = (source: Source) => {
        const next = this.#dates().find((date) => date > key.date && this.#isOf(date, source))
        return next !== undefined && !this.#placed.has(next)
      }
      await plan.follow(key, { sources: sources.filter(isFollowed) })
    }
    return (await target.catalogue.commit([await plan.change()])).length === 0
  }

  #dates(): string[] {
    return [...new Set([...this.#stored.keys(), ...this.#placed.keys()])].sort()
  }

  #isOf(date: string, source: Source): boolean {
    return sourcesOf(this.#placed.get(date)?.head ?? this.#stored.get(date)!).includes(source)
  }

  async #addDay(date: string, head: PartitionHead): Promise<void> {
    const { source, target } = this.#copying
    const key = { ...this.#name, date }
    const day = await readDay(source, key, head)
    const before = this.#stored.get(date) ?? null
    const found = before && (await readDay(target, key, before))
    if (found && digestOf(found) === digestOf(day)) return void this.outcome.same.push(date)
    if (found && !hasRecordsOf(day, found)) return this.leaveOut(date, 'other_records', OTHER_RECORDS)
    const starts = await this.#startsIn(day)
    if (starts === 'other') return this.leaveOut(date, 'follows_others', FOLLOWS_OTHERS)
    const by = before === null ? this.#planned.base : Math.max(before.nextId, before.revision)
    this.#placed.set(date, changeOf(day, { before, starts, by }))
    const bytes = day.parts.reduce((sum, part) => sum + part.bytes.length, 0)
    this.outcome.copied.push({ date, records: storedRecords(head), bytes })
  }

  async #startsIn(day: Day): Promise<Starts | 'other'> {
    const starts = new Map<Source, CarriedBooks | null>()
    for (const [source, start] of day.starts) {
      const brought = await this.#startIn(day.key, source, start)
      if (brought === 'other') return 'other'
      starts.set(source, brought)
    }
    return starts
  }

  /** Returns the starting books that the copied day must contain. Returns null if it needs none, because it starts
   *  without books or because the target's previous day closes with the same books. Returns 'other' if that day closes
   *  with different books. */
  async #startIn(
    key: PartitionKey,
    source: Source,
    start: CarriedBooks | null,
  ): Promise<CarriedBooks | null | 'other'> {
    const date = this.#dates().findLast((each) => each < key.date && this.#isOf(each, source))
    if (date === undefined) return start?.closing ? start : null
    if (start !== null && date < start.date) return start
    const last = { ...key, date }
    const { blocks } = this.#copying.target
    const books = this.#placed.get(date)?.books ?? (await blocks.fetch([{ key: last, kind: 'books' }])).books(last)
    return isSameBytes(booksOfSource(books, source).closing, start?.closing ?? null) ? null : 'other'
  }
}

/** Returns the message of an error that reports damage. Throws any other error. */
export function damageIn(error: unknown): string {
  if (error instanceof DataError && error.code === 'block_corrupt') return error.message
  throw error
}

const OTHER_RECORDS =
  'the target has records of that day which the source lacks: export them from one store and ingest them into the other'
const FOLLOWS_OTHERS = 'the target has other records of the days before it, which it continues'
const CHANGING = 'the market changes all the time: copy it again'

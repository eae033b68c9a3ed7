// Plans how changes of markets change rows: reads the rows, and returns one commit for all markets that are still at
// the revision that their change was planned on.

import type { MarketChange, PartitionChange } from '../../catalogue.ts'
import { totalsOf } from '../../finding/day-totals.ts'
import { sealHead } from '../../sealed/stored-parts.ts'
import type { Venue } from '../../venue.ts'
import { dayOf, GONE, IndexChange, NO_CARDS, openKnown, writeKnown } from '../finding/index-change.ts'
import { auditsKey, below, dateKey, dayKey, entryKey, keyOf, knownKey, namesOf, removedKey } from '../keys.ts'
import { NO_DATE, openMarket, packDay, type StoredMarket, sealCounts, sealMarket } from '../market-rows.ts'
import { ALL_ROWS, type Row, type RowCommit, type RowKey, type Rows, revisionOf } from '../rows.ts'
import { SharedRows, type Write } from '../shared-rows.ts'
import type { Placed, PlacementPlan } from './placing.ts'

type Accepted = { change: MarketChange; before: StoredMarket; after: StoredMarket }

/** `commit` is null if every market is refused. */
export type PlannedCommit = { refused: MarketChange[]; commit: RowCommit | null }

export class CommitPlan {
  readonly #rows: Rows
  readonly #placed: Placed
  readonly #shard: string
  /** Heads and counts of days, encoded once however often the commit is planned. */
  readonly #days = new Map<PartitionChange, { head: Uint8Array; counts: Row }>()

  /** `shard` is that of this process. */
  constructor(rows: Rows, placed: Placed, shard: string) {
    this.#rows = rows
    this.#placed = placed
    this.#shard = shard
  }

  async plan(changes: readonly MarketChange[], isFresh: boolean): Promise<PlannedCommit> {
    const days = changes.flatMap(({ partitions }) => partitions.map(({ key }) => key))
    const shared = new SharedRows(this.#shard, new Set(changes.map(({ venue }) => venue)), days)
    const entryKeys = changes.map(({ venue, market }) => entryKey(venue, market))
    const stored = await this.#rows.get([...entryKeys, ...shared.keys], isFresh)
    shared.open(stored.slice(changes.length))
    const placement = await this.#placed.plan()
    const write: Write = { expect: [], put: [], remove: [] }
    const refused: MarketChange[] = []
    const accepted: Accepted[] = []
    const removed = await this.#removedEntries(changes.filter((_, index) => stored[index] === undefined))
    for (const [index, change] of changes.entries()) {
      const entry = { key: entryKeys[index]!, bytes: stored[index], removed: removed.get(change) }
      const before = openMarket(entry.removed?.key ?? entry.key, entry.removed?.value ?? entry.bytes)
      if (before.revision !== change.revision) {
        refused.push(change)
        continue
      }
      const after = await this.#nextEntry(change, before)
      writeEntry(write, change, entry, after)
      for (const partition of change.partitions) {
        await this.#writeDay(write, placement, partition)
        shared.changeDay(partition.key, partition.before, partition.head)
      }
      accepted.push({ change, before, after })
    }
    if (accepted.length === 0) return { refused, commit: null }
    await this.#writeKnown(write, shared, accepted)
    shared.finish(write)
    placement.finish(write)
    return { refused, commit: write }
  }

  /** Returns the entries of the markets that were stored earlier and have lost all their days. */
  async #removedEntries(changes: readonly MarketChange[]): Promise<Map<MarketChange, Row>> {
    const keys = changes.map(({ venue, market }) => removedKey(venue, market))
    const stored = keys.length === 0 ? [] : await this.#rows.get(keys)
    const rows = stored.flatMap((value, at) => (value ? [[changes[at]!, { key: keys[at]!, value }] as const] : []))
    return new Map(rows)
  }

  async #writeDay(write: Write, plan: PlacementPlan, partition: PartitionChange): Promise<void> {
    const { key, head } = partition
    const { placement, put, remove } = await plan.day(partition)
    write.put.push(...put)
    write.remove.push(...remove)
    if (head === null) {
      write.remove.push(dayKey(key), dateKey(key), auditsKey(key))
      return
    }
    let day = this.#days.get(partition)
    if (day === undefined) {
      const counts = dateKey(key)
      const value = sealCounts(counts, totalsOf(head))
      day = { head: sealHead(key, head), counts: { key: counts, value } }
      this.#days.set(partition, day)
    }
    write.put.push({ key: dayKey(key), value: packDay({ head: day.head, placement }) }, day.counts)
  }

  /** Updates the rows of known markets, and the index of newest dates, for markets whose newest date changes. */
  async #writeKnown(write: Write, shared: SharedRows, accepted: readonly Accepted[]): Promise<void> {
    const changed = accepted.filter(({ before, after }) => lastDateOf(before) !== lastDateOf(after))
    if (changed.length === 0) return
    const keys = changed.map(({ change: { venue, market } }) => knownKey(venue, market))
    const stored = await this.#rows.get(keys)
    const index = new IndexChange(this.#rows)
    for (const [at, { change, before, after }] of changed.entries()) {
      const { venue, market } = change
      const [key, bytes] = [keys[at]!, stored[at]]
      const known = bytes && openKnown(key, bytes)
      const number = known?.number ?? (await shared.nextNumber(this.#rows, venue))
      const isStored = after.dateCount > 0
      const isKnown = isStored || known?.isDescribed === true
      const day = isKnown ? dayOf(lastDateOf(after)) : GONE
      // The words of a market without metadata are those of its id.
      const words = { before: known ? NO_CARDS : null, after: isKnown ? NO_CARDS : null }
      index.change({ venue, market, number, day, ...words })
      if (isStored === before.dateCount > 0) continue
      shared.countMarket(venue, isStored ? 1 : -1)
      const next = isKnown ? { number, isStored, isDescribed: known?.isDescribed ?? false } : null
      writeKnown(write, change, { key, bytes }, next, number)
    }
    await index.finish(write)
  }

  async #nextEntry(change: MarketChange, entry: StoredMarket): Promise<StoredMarket> {
    let { firstDate, lastDate, dateCount, recordCount, base } = entry
    const { moves } = entry
    const removed: string[] = []
    for (const { key, before, head } of change.partitions) {
      recordCount += (head?.recordCount ?? 0) - (before?.recordCount ?? 0)
      if (before === null && head !== null) {
        firstDate = dateCount === 0 || key.date < firstDate ? key.date : firstDate
        lastDate = dateCount === 0 || key.date > lastDate ? key.date : lastDate
        dateCount++
      } else if (before !== null && head === null) {
        // Ids and revisions of a removed partition are not used again.
        base = Math.max(base, before.nextId, before.revision)
        removed.push(key.date)
        dateCount--
      }
    }
    const next = { firstDate, lastDate, dateCount, recordCount, revision: entry.revision + 1, base, moves }
    if (dateCount === 0) return { ...next, firstDate: NO_DATE, lastDate: NO_DATE }
    if (!removed.includes(firstDate) && !removed.includes(lastDate)) return next
    const dates = new Set(await this.#storedDates(change.venue, change.market))
    for (const { key, head } of change.partitions) {
      if (head === null) dates.delete(key.date)
      else dates.add(key.date)
    }
    const left = [...dates].sort()
    return { ...next, firstDate: left[0]!, lastDate: left.at(-1)! }
  }

  async #storedDates(venue: Venue, market: string): Promise<string[]> {
    const keys = await this.#rows.keys({ ...below(keyOf('d', venue, market)), limit: ALL_ROWS })
    return keys.map((key) => namesOf(key)[2]!)
  }
}

type StoredEntry = { key: RowKey; bytes: Uint8Array | undefined; removed: Row | undefined }

/** Writes the entry of a market. The entry of a market without dates is in another kind of row. */
function writeEntry(
  write: Write,
  { venue, market }: MarketChange,
  { key, bytes, removed }: StoredEntry,
  after: StoredMarket,
): void {
  const isStored = after.dateCount > 0
  const [put, other] = isStored ? [key, removedKey(venue, market)] : [removedKey(venue, market), key]
  write.put.push({ key: put, value: sealMarket(put, after) })
  if (isStored || bytes !== undefined) write.expect.push({ key, revision: revisionOf(bytes) })
  if (removed !== undefined) write.expect.push({ key: removed.key, revision: revisionOf(removed.value) })
  if (removed?.key === other || (bytes !== undefined && other === key)) write.remove.push(other)
}

const lastDateOf = ({ dateCount, lastDate }: StoredMarket): string | null => (dateCount === 0 ? null : lastDate)

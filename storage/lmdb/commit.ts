// Applies changes of markets in one short write transaction. All values are encoded before it begins.

import type { RootDatabase } from 'lmdb'
import { NO_BOOKS } from '../block-store.ts'
import type { MarketChange, PartitionChange } from '../catalogue.ts'
import { writeFailure } from '../data-folder/disk-space.ts'
import type { PartitionHead } from '../format/partition-head.ts'
import { booksKey, headKey, type PartPlace, placeOf, sealBooks, sealHead, sealPart } from '../sealed/stored-parts.ts'
import type { Venue } from '../venue.ts'
import { type MarketDates, noteMarkets } from './finding/note-markets.ts'
import { removeAudits } from './finding/stored-audits.ts'
import { type DayChange, dayChanges, noteDays } from './finding/stored-days.ts'
import { type Databases, KEY_END, type Key } from './values/databases.ts'
import { getMeta, openMarket, putMeta, REMOVED, type StoredMarket, sealMarket } from './values/stored-values.ts'

type Write = { database: PartPlace | 'heads'; key: Key; bytes: Uint8Array | null }
type Planned = { change: MarketChange; writes: Write[]; days: DayChange[] }

/** Applies changes and returns those that were refused. `folder` is the data folder, for error messages. */
export function commitChanges(databases: Databases, folder: string, changes: MarketChange[]): MarketChange[] {
  const planned = changes.map(
    (change): Planned => ({
      change,
      writes: change.partitions.flatMap(writesOf),
      days: dayChanges(change),
    }),
  )
  const refused: MarketChange[] = []
  inTransaction(databases.root, folder, () => {
    const days: DayChange[] = []
    const dates: MarketDates[] = []
    for (const { change, writes, days: changed } of planned) {
      const stored = storedMarket(databases, change)
      if ((stored?.revision ?? 0) !== change.revision) {
        refused.push(change)
        continue
      }
      for (const { database, key, bytes } of writes) {
        if (bytes === null) databases[database].removeSync(key)
        else databases[database].putSync(key, bytes)
      }
      for (const partition of change.partitions) {
        if (partition.head !== null) continue
        removeParts(databases, partition)
        removeAudits(databases, partition.key)
      }
      days.push(...changed)
      const before = stored === undefined || stored.dateCount === 0 ? null : stored.lastDate
      const { dateCount, lastDate } = noteMarket(databases, change, stored)
      dates.push({ venue: change.venue, market: change.market, before, after: dateCount === 0 ? null : lastDate })
    }
    noteDays(databases, days)
    noteMarkets(databases, dates)
  })
  return refused
}

/** Runs `work` in a write transaction. Throws DataError('disk_full') and has then changed nothing. */
export function inTransaction(root: RootDatabase<Uint8Array, Key>, folder: string, work: () => void): void {
  // Removes dead readers: otherwise the pages that they read could never be reused.
  root.readerCheck()
  try {
    root.transactionSync(work)
  } catch (error) {
    throw writeFailure(error, folder)
  }
}

/** Returns the entry of a market that is stored, or was. */
export function storedMarket({ markets }: Databases, { venue, market }: { venue: Venue; market: string }) {
  for (const key of [
    [venue, market],
    [REMOVED, venue, market],
  ]) {
    const bytes = markets.get(key)
    if (bytes !== undefined) return openMarket(key, bytes)
  }
  return undefined
}

function writesOf({ key, before, head, books, put, removed }: PartitionChange): Write[] {
  const writes: Write[] = put.map(({ bytes, ...part }) => {
    const { place, entry } = placeOf(key, part)
    return { database: place, key: entry, bytes: sealPart(key, part, bytes) }
  })
  for (const part of removed) {
    const { place, entry } = placeOf(key, part)
    writes.push({ database: place, key: entry, bytes: null })
  }
  const newBooks = books ?? (before === null ? NO_BOOKS : null)
  if (head !== null && newBooks !== null)
    writes.push({ database: 'parts', key: booksKey(key), bytes: sealBooks(key, newBooks) })
  writes.push({ database: 'heads', key: headKey(key), bytes: head === null ? null : sealHead(key, head) })
  return writes
}

/** Removes all parts of a partition, whatever its head lists. */
function removeParts(databases: Databases, { key }: PartitionChange): void {
  for (const name of ['blocks', 'parts'] as const) {
    const range = { start: headKey(key), end: [...headKey(key), KEY_END] }
    for (const entry of [...databases[name].getKeys(range)]) databases[name].removeSync(entry)
  }
}

function noteMarket(
  databases: Databases,
  { venue, market, partitions }: MarketChange,
  stored?: StoredMarket,
): StoredMarket {
  const { heads, markets } = databases
  const isSameDays = partitions.every(({ before, head }) => (before === null) === (head === null))
  const key = [venue, market]
  const next = stored ?? { ...datesOf([]), recordCount: 0, revision: 0, base: 0 }
  const base = Math.max(next.base, ...partitions.flatMap(({ before, head }) => (head === null ? endOf(before) : [])))
  const dates = isSameDays
    ? next
    : datesOf(
        [...heads.getKeys({ start: [...key, ''], end: [...key, KEY_END] })].map((each) =>
          String((each as string[])[2]),
        ),
      )
  const added = partitions.reduce(
    (sum, each) => sum + (each.head?.recordCount ?? 0) - (each.before?.recordCount ?? 0),
    0,
  )
  const recordCount = next.recordCount + added
  const entry = { ...next, ...dates, recordCount, revision: next.revision + 1, base }
  const wasStored = (stored?.dateCount ?? 0) > 0
  const isStored = entry.dateCount > 0
  markets.putSync(isStored ? key : [REMOVED, ...key], sealMarket(isStored ? key : [REMOVED, ...key], entry))
  if (wasStored !== isStored) {
    if (stored !== undefined) markets.removeSync(isStored ? [REMOVED, ...key] : key)
    putMeta(databases, 'market_count', (getMeta<number>(databases, 'market_count') ?? 0) + (isStored ? 1 : -1))
    putMeta(databases, 'markets_revision', (getMeta<number>(databases, 'markets_revision') ?? 0) + 1)
  }
  const lastMs = Math.max(...partitions.map(({ head }) => head?.lastMs ?? Number.NEGATIVE_INFINITY))
  const before = getMeta<number>(databases, `last_record_${venue}`)
  if (lastMs > (before ?? Number.NEGATIVE_INFINITY)) putMeta(databases, `last_record_${venue}`, lastMs)
  return entry
}

/** Returns the ids and revisions that a removed partition used: they are not used again. */
const endOf = (head: PartitionHead | null): number[] => (head === null ? [] : [head.nextId, head.revision])

const datesOf = (dates: string[]) =>
  dates.length === 0
    ? { firstDate: NO_DATE, lastDate: NO_DATE, dateCount: 0 }
    : { firstDate: dates[0]!, lastDate: dates.at(-1)!, dateCount: dates.length }
const NO_DATE = '0000-00-00'

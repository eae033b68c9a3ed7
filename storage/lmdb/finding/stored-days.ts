// Stores the sums of each date and the statistics of each market on it. The markets of a date are spread over 256
// entries, so that a commit writes a small part of them, and a query reads few entries.
//
//   'sums', venue, date          → sums of all markets
//   'days', venue, date, bucket  → statistics of the markets whose names hash to the bucket, column by column

import type { MarketChange } from '../../catalogue.ts'
import { changedSums, type DaySums, type DayTotals, NO_SUMS, totalsOf } from '../../finding/day-totals.ts'
import type { BusiestPage, BusiestQuery, BusyBy, StoredSums } from '../../finding/finding.ts'
import type { PartitionHead } from '../../format/partition-head.ts'
import type { PartitionKey } from '../../partition-key.ts'
import type { Venue } from '../../venue.ts'
import { type Databases, KEY_END, type Key } from '../values/databases.ts'
import { getPacked, openPacked, putPacked } from './packed-values.ts'
import { wordMatcher } from './search-index.ts'

const BUCKETS = 256

export type DayChange = { key: PartitionKey; before: DayTotals | null; after: DayTotals | null }
/** Markets, records, trades, volumes as digits, gaps, ms of gaps. */
export type DayColumns = [string[], number[], number[], string[], number[], number[]]
type PackedSums = Omit<DaySums, 'volume'> & { volume: string }

export const sumsKey = (venue: Venue, date: string): Key => ['sums', venue, date]
export const daysKey = ({ venue, market, date }: PartitionKey): Key => ['days', venue, date, bucketOf(market)]

export const packedSums = ({ volume, ...counts }: DaySums): PackedSums => ({ ...counts, volume: String(volume) })
export const unpackedSums = ({ volume, ...counts }: PackedSums): DaySums => ({ ...counts, volume: BigInt(volume) })

/** Returns how the change of a market changes its days. */
export function dayChanges({ partitions }: MarketChange): DayChange[] {
  const figures = (head: PartitionHead | null) => (head === null ? null : totalsOf(head))
  return partitions.map(({ key, before, head }) => ({ key, before: figures(before), after: figures(head) }))
}

/** Applies changes within a write transaction. */
export function noteDays(databases: Databases, changes: readonly DayChange[]): void {
  for (const same of Map.groupBy(changes, ({ key }) => `${key.venue} ${key.date}`).values()) {
    const { venue, date } = same[0]!.key
    const key = sumsKey(venue, date)
    const stored = getPacked<PackedSums>(databases, 'finding', key)
    const sums = same.reduce(
      (sum, { before, after }) => changedSums(sum, before, after),
      stored === undefined ? NO_SUMS : unpackedSums(stored),
    )
    if (sums.markets === 0) databases.finding.removeSync(key)
    else putPacked(databases, 'finding', key, packedSums(sums))
    for (const [bucket, days] of Map.groupBy(same, (change) => bucketOf(change.key.market))) {
      putDays(databases, ['days', venue, date, bucket], days)
    }
  }
}

function putDays(databases: Databases, key: Key, changes: DayChange[]): void {
  const columns = getPacked<DayColumns>(databases, 'finding', key) ?? [[], [], [], [], [], []]
  for (const { key: day, after } of changes) setDay(columns, day.market, after)
  if (columns[0].length === 0) databases.finding.removeSync(key)
  else putPacked(databases, 'finding', key, columns)
}

function setDay(columns: DayColumns, market: string, figures: DayTotals | null): void {
  const found = columns[0].indexOf(market)
  if (figures === null) {
    if (found >= 0) for (const column of columns) column.splice(found, 1)
    return
  }
  const at = found < 0 ? columns[0].length : found
  rowOf(market, figures).forEach((value, column) => {
    ;(columns[column] as unknown[])[at] = value
  })
}

export const rowOf = (market: string, { records, trades, volume, gaps, gapMs }: DayTotals) =>
  [market, records, trades, String(volume), gaps, gapMs] as const

export function readSums(databases: Databases, venue: Venue, range?: { from: string; to: string }): StoredSums[] {
  const start = sumsKey(venue, range?.from ?? '')
  const end = sumsKey(venue, (range?.to ?? '') + KEY_END)
  return [...databases.finding.getRange({ start, end })].map(({ key, value }) => {
    const date = String(key[2])
    return { date, ...unpackedSums(openPacked<PackedSums>('finding', key, value)) }
  })
}

export function readEnds(databases: Databases, venue: Venue): { from: string; to: string } | undefined {
  const [start, end] = [sumsKey(venue, ''), sumsKey(venue, KEY_END)]
  const [first] = [...databases.finding.getKeys({ start, end, limit: 1 })]
  const [last] = [...databases.finding.getKeys({ start: end, end: start, reverse: true, limit: 1 })]
  if (first === undefined || last === undefined) return undefined
  return { from: String(first[2]), to: String(last[2]) }
}

const COLUMN_OF: Record<BusyBy, 0 | 1 | 2 | 3> = { market: 0, records: 1, trades: 2, volume: 3 }

export function readBusiest(
  databases: Databases,
  venue: Venue,
  date: string,
  { by, text, offset = 0, limit }: BusiestQuery,
): BusiestPage {
  const hasWords = text === undefined ? () => true : wordMatcher(databases, venue, text)
  const busiest: { columns: DayColumns; row: number; amount: number | bigint }[] = []
  const range = { start: ['days', venue, date], end: ['days', venue, date, BUCKETS] }
  for (const { key, value } of databases.finding.getRange(range)) {
    const columns = openPacked<DayColumns>('finding', key, value)
    const amounts = columns[COLUMN_OF[by]]
    for (let row = 0; row < amounts.length; row++) {
      if (!hasWords(columns[0][row]!)) continue
      const amount = by === 'market' ? 0 : by === 'volume' ? BigInt(amounts[row]!) : (amounts[row] as number)
      busiest.push({ columns, row, amount })
    }
  }
  const name = ({ columns, row }: { columns: DayColumns; row: number }) => columns[0][row]!
  busiest.sort((a, b) => (a.amount === b.amount ? (name(a) < name(b) ? -1 : 1) : a.amount > b.amount ? -1 : 1))
  const page = busiest.slice(offset, offset + limit)
  const days = page.map(({ columns: [markets, records, trades, volumes, gaps, gapMs], row }) => ({
    market: markets[row]!,
    records: records[row]!,
    trades: trades[row]!,
    volume: BigInt(volumes[row]!),
    gaps: gaps[row]!,
    gapMs: gapMs[row]!,
  }))
  return { days, totalCount: busiest.length }
}

/** FNV-1a over names, which are ASCII. */
function bucketOf(market: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < market.length; at++) hash = Math.imul(hash ^ market.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 16)) & (BUCKETS - 1)
}

// Provenance as rows: a load each, and the hours of a source on a day of a market. Who writes it holds the row of its
// stamp, so what is added to is what is kept.

import type { TransactionSQL } from 'bun'
import {
  type ArchiveLoad,
  type ArchiveQuality,
  addedQuality,
  type DayQuality,
  inOrder,
  loadName,
  QUALITY_COUNTS,
  type SourceHour,
} from '../../../finding/provenance.ts'
import type { PartitionKey } from '../../../partition-key.ts'
import { utcDate } from '../../../units.ts'
import type { Venue } from '../../../venue.ts'
import { type Asked, blobs, dayTable, texts } from './arrays.ts'
import { packed, unpacked } from './packed-values.ts'

type QualityKey = PartitionKey & { source: string }
type PackedHour = [hour: number, ...counts: number[]]

/** Of a source that is forgotten: so many rows in a transaction. */
const REMOVED_AT_ONCE = 5_000

async function changeStamp(sql: TransactionSQL): Promise<void> {
  await sql`UPDATE counters SET value = value + 1 WHERE name = 'provenance'`
}

export async function readStamp(sql: Asked): Promise<number> {
  const [row] = await sql`SELECT value FROM counters WHERE name = 'provenance'`
  return Number(row.value)
}

/** By source and name. Throws RangeError for one that has no place in a store. */
export const namedLoads = (loads: readonly ArchiveLoad[]): Map<string, [name: string, load: ArchiveLoad]> =>
  new Map(
    loads.map((load) => {
      const name = loadName(load)
      return [`${load.source} ${name}`, [name, load]]
    }),
  )

export async function putLoads(
  sql: TransactionSQL,
  loads: ReturnType<typeof namedLoads>,
  quality: readonly ArchiveQuality[],
): Promise<void> {
  await changeStamp(sql)
  const rows = [...loads.values()]
  if (rows.length > 0) {
    await sql`
      INSERT INTO loads (source, name, load)
      SELECT * FROM unnest(${texts(sql, rows, ([, { source }]) => source)}, ${texts(sql, rows, ([name]) => name)},
        ${blobs(sql, rows, ([, load]) => packed(load))})
      ON CONFLICT (source, name) DO UPDATE SET load = excluded.load`
  }
  if (quality.length > 0) await addQuality(sql, quality)
}

async function addQuality(sql: TransactionSQL, quality: readonly ArchiveQuality[]): Promise<void> {
  const said = Map.groupBy(quality, (each) => nameOf(keyOf(each)))
  const keys = Array.from(said.values(), ([first]) => keyOf(first!))
  const kept: (QualityKey & { hours: Uint8Array })[] = await sql`
    SELECT q.venue, q.market, q.date::text AS date, q.source, q.hours
    FROM unnest(${texts(sql, keys, ({ venue }) => venue)}, ${texts(sql, keys, ({ market }) => market)},
      ${texts(sql, keys, ({ date }) => date)}::date[], ${texts(sql, keys, ({ source }) => source)})
      AS u (venue, market, date, source)
    JOIN quality q ON q.venue = u.venue AND q.market = u.market AND q.date = u.date AND q.source = u.source
    ORDER BY q.venue, q.market, q.date, q.source FOR UPDATE OF q`
  const before = new Map(kept.map((row) => [nameOf(row), openHours(row.source, row.hours)]))
  const hours = keys.map((key) => addedQuality(before.get(nameOf(key)) ?? [], said.get(nameOf(key))!))
  await sql`
    INSERT INTO quality (venue, market, date, source, hours)
    SELECT * FROM unnest(${texts(sql, keys, ({ venue }) => venue)}, ${texts(sql, keys, ({ market }) => market)},
      ${texts(sql, keys, ({ date }) => date)}::date[], ${texts(sql, keys, ({ source }) => source)},
      ${blobs(sql, hours, packHours)}) AS u (venue, market, date, source, hours)
    ORDER BY venue COLLATE "C", market COLLATE "C", date, source COLLATE "C"
    ON CONFLICT (venue, market, date, source) DO UPDATE SET hours = excluded.hours`
}

const keyOf = ({ venue, market, hourMs, source }: ArchiveQuality): QualityKey => ({
  ...{ venue, market, source },
  date: utcDate(hourMs),
})

const nameOf = ({ venue, market, date, source }: QualityKey): string => `${venue} ${market} ${date} ${source}`

export async function readLoads(sql: Asked): Promise<ArchiveLoad[]> {
  const rows: { load: Uint8Array }[] = await sql`SELECT load FROM loads`
  return inOrder(rows.map(({ load }) => unpacked<ArchiveLoad>(load)))
}

export async function readQuality(sql: Asked, venue: Venue, market: string): Promise<DayQuality[]> {
  const rows: { date: string; source: string; hours: Uint8Array }[] = await sql`
    SELECT date::text AS date, source, hours FROM quality
    WHERE venue = ${venue} AND market = ${market} ORDER BY quality.date, source`
  const days = Map.groupBy(rows, ({ date }) => date)
  return Array.from(days, ([date, same]) => ({
    date,
    hours: same.flatMap(({ source, hours }) => openHours(source, hours)),
  }))
}

export async function removeQuality(
  sql: TransactionSQL,
  source: string,
  { venue, market, dates }: { venue: Venue; market: string; dates: readonly string[] },
): Promise<void> {
  await changeStamp(sql)
  await sql`
    DELETE FROM quality WHERE venue = ${venue} AND market = ${market} AND source = ${source}
    AND date = ANY (${texts(sql, dates, (date) => date)}::date[])`
}

/** Of dates that are removed. */
export async function removeDayQuality(sql: TransactionSQL, keys: readonly PartitionKey[]): Promise<void> {
  await sql`
    WITH locked AS (
      SELECT q.venue, q.market, q.date, q.source
      FROM ${dayTable(sql, keys)}
      JOIN quality q ON q.venue = u.venue AND q.market = u.market AND q.date = u.date
      ORDER BY 1, 2, 3, 4 FOR UPDATE OF q
    )
    DELETE FROM quality q USING locked l
    WHERE q.venue = l.venue AND q.market = l.market AND q.date = l.date AND q.source = l.source`
}

/** Some of the quality of a source. Resolves to whether there was any. */
export async function removeSomeQuality(sql: TransactionSQL, source: string): Promise<boolean> {
  await changeStamp(sql)
  const removed = await sql`
    DELETE FROM quality WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM quality WHERE source = ${source} LIMIT ${REMOVED_AT_ONCE} FOR UPDATE
    ))`
  return removed.count > 0
}

/** Resolves to how many there were. */
export async function removeLoads(sql: TransactionSQL, source: string): Promise<number> {
  await changeStamp(sql)
  const removed = await sql`DELETE FROM loads WHERE source = ${source}`
  return removed.count
}

const packHours = (hours: SourceHour[]): Buffer =>
  packed(hours.map((each): PackedHour => [each.hour, ...QUALITY_COUNTS.map((count) => each[count])]))

const openHours = (source: string, bytes: Uint8Array): SourceHour[] =>
  unpacked<PackedHour[]>(bytes).map(([hour, ...counts]) => {
    const named = Object.fromEntries(QUALITY_COUNTS.map((count, i) => [count, counts[i]!]))
    return { source, hour, ...named } as SourceHour
  })

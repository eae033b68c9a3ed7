// Stores audits, in one row per market and date.

import type { TransactionSQL } from 'bun'
import { AUDIT_RESULTS, type Audit, type MarketAudits, mergedAudits } from '../../../finding/audits.ts'
import type { PartitionKey } from '../../../partition-key.ts'
import type { Venue } from '../../../venue.ts'
import { blobs, dayTable, type Queryable, texts } from './arrays.ts'
import { packed, unpacked } from './packed-values.ts'

/** Audits as columns. A result is its index in AUDIT_RESULTS. */
type Packed = [timesUs: number[], books: (string | null)[], results: number[]]

const NONE = packed([[], [], []] satisfies Packed)

export async function putAudits(sql: TransactionSQL, all: readonly MarketAudits[]): Promise<void> {
  const updates = new Map<string, MarketAudits>()
  for (const { audits, ...key } of all) {
    if (audits.length === 0) continue
    const name = nameOf(key)
    updates.set(name, { ...key, audits: [...(updates.get(name)?.audits ?? []), ...audits] })
  }
  if (updates.size === 0) return
  const stored = await lockRows(sql, [...updates.values()])
  const changed = [...updates].flatMap(([name, { audits, ...key }]) => {
    const before = openAudits(stored.get(name) ?? NONE)
    const merged = mergedAudits(before, audits)
    return merged === before ? [] : [{ ...key, bytes: packAudits(merged) }]
  })
  if (changed.length === 0) return
  await sql`
    UPDATE audits SET audits = u.bytes
    FROM unnest(
      ${texts(sql, changed, ({ venue }) => venue)}, ${texts(sql, changed, ({ market }) => market)},
      ${texts(sql, changed, ({ date }) => date)}::date[], ${blobs(sql, changed, ({ bytes }) => bytes)}
    ) AS u (venue, market, date, bytes)
    WHERE audits.venue = u.venue AND audits.market = u.market AND audits.date = u.date`
}

/** Inserts missing rows, locks all of them, and returns the stored audits: no other writer can change them now. */
async function lockRows(sql: TransactionSQL, keys: readonly PartitionKey[]): Promise<Map<string, Uint8Array>> {
  // Locks an existing row and leaves it unchanged.
  await sql`
    INSERT INTO audits AS stored
    SELECT venue, market, date, ${NONE}::bytea
    FROM ${dayTable(sql, keys)}
    ORDER BY venue COLLATE "C", market COLLATE "C", date
    ON CONFLICT (venue, market, date) DO UPDATE SET audits = stored.audits WHERE false`
  const rows: (PartitionKey & { audits: Uint8Array })[] = await sql`
    SELECT a.venue, a.market, a.date::text AS date, a.audits
    FROM ${dayTable(sql, keys)}
    JOIN audits a ON a.venue = u.venue AND a.market = u.market AND a.date = u.date`
  return new Map(rows.map((row) => [nameOf(row), row.audits]))
}

export async function readAudits(sql: Queryable, venue: Venue, market: string): Promise<MarketAudits[]> {
  const rows: { date: string; audits: Uint8Array }[] = await sql`
    SELECT date::text AS date, audits FROM audits
    WHERE venue = ${venue} AND market = ${market} ORDER BY audits.date`
  return rows.map(({ date, audits }) => ({ venue, market, date, audits: openAudits(audits) }))
}

/** Removes the audits of removed dates. */
export async function removeAudits(sql: TransactionSQL, keys: readonly PartitionKey[]): Promise<void> {
  await sql`
    WITH locked AS (
      SELECT a.venue, a.market, a.date
      FROM ${dayTable(sql, keys)}
      JOIN audits a ON a.venue = u.venue AND a.market = u.market AND a.date = u.date
      ORDER BY 1, 2, 3 FOR UPDATE OF a
    )
    DELETE FROM audits USING locked
    WHERE audits.venue = locked.venue AND audits.market = locked.market AND audits.date = locked.date`
}

const nameOf = ({ venue, market, date }: PartitionKey): string => `${venue} ${market} ${date}`

const packAudits = (audits: Audit[]): Buffer =>
  packed([
    audits.map(({ atUs }) => atUs),
    audits.map(({ book }) => book),
    audits.map(({ result }) => AUDIT_RESULTS.indexOf(result)),
  ] satisfies Packed)

function openAudits(bytes: Uint8Array): Audit[] {
  const [timesUs, books, results] = unpacked<Packed>(bytes)
  return timesUs.map((atUs, i) => ({ atUs, book: books[i]!, result: AUDIT_RESULTS[results[i]!]! }))
}

// Commits to PostgreSQL: one transaction that locks its markets in a fixed order. It takes few statements, however many
// markets there are.

import type { TransactionSQL } from 'bun'
import { totalsOf } from '../../finding/day-totals.ts'
import type { Venue } from '../../venue.ts'
import type { Commit, RowChange } from '../database/cluster-database.ts'
import { changedIndex, openPieces, type PieceIndex, sealPieces } from '../segment/pieces.ts'
import type { Postgres } from './connection.ts'
import { dayTable, integers, marketTable, texts } from './finding/arrays.ts'
import { JoinedBytes } from './joined-bytes.ts'
import { notifyChanges } from './listen.ts'
import { addedSums, type ChangedDay, hasOtherDates, type NotedChange, noteCommit } from './note-commit.ts'
import { countRows, nameSegment } from './segment-rows.ts'
import { tookEffect } from './took-effect.ts'

type LockedMarket = { venue: Venue; market: string; revision: number; dateCount: number }
/** A day after the change. `row` and `figures` are null if it is removed. `before` and `row` refer to segments by
 *  number. */
type NewDay = ChangedDay & { market: string; before: PieceIndex<string> | null; row: PieceIndex<string> | null }

/** Commits rows and resolves to the indexes of the refused changes. */
export async function commitRows(postgres: Postgres, commit: Commit): Promise<number[]> {
  // A commit without new pieces also gets a key, by which one can find out whether it took effect.
  const segment = commit.segment ?? { key: `none/${crypto.randomUUID()}`, bytes: 0 }
  let refused: number[] = []
  const run = async (sql: TransactionSQL) => {
    refused = await commitIn(sql, { ...commit, segment })
  }
  try {
    await postgres.write(run)
  } catch (error) {
    if (!(await tookEffect(postgres, segment.key, error))) throw error
  }
  return refused
}

async function commitIn(
  sql: TransactionSQL,
  { segment, changes }: Commit & { segment: NonNullable<Commit['segment']> },
): Promise<number[]> {
  const segmentId = await nameSegment(sql, segment)
  await addMarkets(sql, changes)
  // PostgreSQL runs the two one after the other, so the indexes are read under the locks.
  const [locked, before] = await Promise.all([lockMarkets(sql, changes), readIndexes(sql, changes)])
  const accepted: RowChange[] = []
  const refused: number[] = []
  for (const [index, change] of changes.entries()) {
    const revision = locked.get(nameOf(change))?.revision ?? 0
    if (revision === change.revision) accepted.push(change)
    else refused.push(index)
  }
  if (accepted.length === 0) return refused
  const days = accepted.flatMap(({ venue, market, days }) =>
    days.map((change): NewDay => {
      const stored = before.get(`${venue} ${market} ${change.date}`) ?? null
      if (change.head === null) return { venue, market, change, before: stored, row: null, figures: null }
      const figures = totalsOf(change.head.decoded)
      return { venue, market, change, before: stored, row: changedIndex(stored, change, segmentId), figures }
    }),
  )
  const segments = days.map(({ before, row }) => ({ before: before?.segments ?? [], after: row?.segments ?? [] }))
  // PostgreSQL runs these one after the other. Meanwhile the next statement is prepared here.
  const [, , , counts, , sums] = await Promise.all([
    putDays(sql, days),
    removeDays(sql, days),
    countRows(sql, segments),
    noteMarkets(sql, accepted),
    notifyChanges(sql, accepted),
    addedSums(days),
  ])
  const noted = accepted.filter(hasOtherDates).map((change): NotedChange => {
    const name = nameOf(change)
    return { ...change, wasStored: (locked.get(name)?.dateCount ?? 0) > 0, isStored: (counts.get(name) ?? 0) > 0 }
  })
  await noteCommit(sql, noted, sums)
  const added = noted.reduce((sum, { wasStored, isStored }) => sum + Number(isStored) - Number(wasStored), 0)
  // Comes last, because from here on all commits that add a market wait for one another.
  if (noted.some(({ wasStored, isStored }) => wasStored !== isStored)) {
    await sql`UPDATE counters SET value = value + CASE name WHEN 'market_count' THEN ${added}::bigint ELSE 1 END
      WHERE name IN ('market_count', 'markets_revision')`
  }
  return refused
}

export const nameOf = ({ venue, market }: { venue: Venue; market: string }): string => `${venue} ${market}`

/** Inserts the rows of new markets, at revision 0. */
async function addMarkets(sql: TransactionSQL, changes: readonly RowChange[]): Promise<void> {
  const added = changes.filter(({ revision }) => revision === 0)
  if (added.length === 0) return
  await sql`
    INSERT INTO markets (venue, market, revision, base, record_count, date_count)
    SELECT venue, market, 0, 0, 0, 0 FROM ${marketTable(sql, added)} ORDER BY venue, market
    ON CONFLICT DO NOTHING`
}

/** Locks markets and returns them by venue and market. */
export async function lockMarkets(
  sql: TransactionSQL,
  markets: readonly { venue: Venue; market: string }[],
): Promise<Map<string, LockedMarket>> {
  const rows = await sql`
    SELECT m.venue, m.market, m.revision, m.date_count FROM markets m
    JOIN ${marketTable(sql, markets)} USING (venue, market)
    ORDER BY m.venue, m.market FOR UPDATE OF m`
  const locked = rows.map((row: { venue: Venue; market: string; revision: string; date_count: number }) => {
    const { venue, market, revision, date_count: dateCount } = row
    return [nameOf(row), { venue, market, revision: Number(revision), dateCount: Number(dateCount) }] as const
  })
  return new Map(locked)
}

/** Returns the indexes of stored days by venue, market and date. Segments are given by number. */
async function readIndexes(
  sql: TransactionSQL,
  changes: readonly RowChange[],
): Promise<Map<string, PieceIndex<string>>> {
  const days = changes.flatMap(({ venue, market, days }) => days.map(({ date }) => ({ venue, market, date })))
  const rows = await sql`
    SELECT d.venue, d.market, d.date::text AS date, d.pieces, d.segments::text[] AS segments FROM days d
    JOIN ${dayTable(sql, days)} USING (venue, market, date)`
  return new Map(
    rows.map((row: { venue: Venue; market: string; date: string; pieces: Uint8Array; segments: string[] }) => {
      const { venue, market, date, pieces, segments } = row
      return [`${venue} ${market} ${date}`, { segments, pieces: openPieces({ venue, market, date }, pieces) }]
    }),
  )
}

async function putDays(sql: TransactionSQL, days: readonly NewDay[]): Promise<void> {
  const bytes = new JoinedBytes()
  const rows = days.flatMap(({ venue, market, change: { date, head }, row, figures }) => {
    if (row === null || head === null || figures === null) return []
    const key = { venue, market, date }
    const [headAt, headBytes] = bytes.add(head.sealed)
    const [piecesAt, piecesBytes] = bytes.add(sealPieces(key, row.pieces))
    return [{ ...key, segments: `{${row.segments.join(',')}}`, figures, headAt, headBytes, piecesAt, piecesBytes }]
  })
  if (rows.length === 0) return
  // As arrays: PostgreSQL took longer to parse the rows as JSON than to write them.
  await sql`
    INSERT INTO days (venue, market, date, head, pieces, segments, is_moved, records, trades, volume, gaps, gap_ms)
    SELECT venue, market, date, substring(b.bytes FROM head_at::integer FOR head_bytes::integer),
      substring(b.bytes FROM pieces_at::integer FOR pieces_bytes::integer), segments::bigint[], false,
      records, trades, volume, gaps, gap_ms
    FROM unnest(${texts(sql, rows, ({ venue }) => venue)}, ${texts(sql, rows, ({ market }) => market)},
      ${texts(sql, rows, ({ date }) => date)}::date[], ${texts(sql, rows, ({ segments }) => segments)},
      ${integers(sql, rows, ({ headAt }) => headAt)}, ${integers(sql, rows, ({ headBytes }) => headBytes)},
      ${integers(sql, rows, ({ piecesAt }) => piecesAt)}, ${integers(sql, rows, ({ piecesBytes }) => piecesBytes)},
      ${integers(sql, rows, ({ figures }) => figures.records)}, ${integers(sql, rows, ({ figures }) => figures.trades)},
      ${texts(sql, rows, ({ figures }) => String(figures.volume))}::numeric[],
      ${integers(sql, rows, ({ figures }) => figures.gaps)}, ${integers(sql, rows, ({ figures }) => figures.gapMs)})
      AS r(venue, market, date, segments, head_at, head_bytes, pieces_at, pieces_bytes,
        records, trades, volume, gaps, gap_ms)
    CROSS JOIN (SELECT ${bytes.joined()}::bytea AS bytes) b
    ON CONFLICT (venue, market, date) DO UPDATE SET head = excluded.head, pieces = excluded.pieces,
      segments = excluded.segments, is_moved = false, records = excluded.records,
      trades = excluded.trades, volume = excluded.volume, gaps = excluded.gaps, gap_ms = excluded.gap_ms`
}

async function removeDays(sql: TransactionSQL, days: readonly NewDay[]): Promise<void> {
  const gone = days
    .filter(({ row }) => row === null)
    .map(({ venue, market, change: { date } }) => ({ venue, market, date }))
  if (gone.length === 0) return
  await sql`
    DELETE FROM days d USING ${dayTable(sql, gone)}
    WHERE d.venue = u.venue AND d.market = u.market AND d.date = u.date`
}

/** Updates the rows of markets. Resolves to the new number of dates of each market whose dates changed, by venue and
 *  market. */
async function noteMarkets(sql: TransactionSQL, accepted: readonly RowChange[]): Promise<Map<string, number>> {
  const changes = accepted.map(({ venue, market, days }) => {
    const added = days.reduce((sum, { head, before }) => {
      return sum + (head?.decoded.recordCount ?? 0) - (before?.recordCount ?? 0)
    }, 0)
    // Ids and revisions of a removed partition are not used again.
    const ends = days.flatMap(({ head, before }) =>
      head === null && before !== null ? [before.nextId, before.revision] : [],
    )
    return { venue, market, added, base: Math.max(0, ...ends), hasOtherDates: Number(hasOtherDates({ days })) }
  })
  const rows = await sql`
    WITH changed AS (UPDATE markets m SET revision = m.revision + 1, base = greatest(m.base, u.base),
      record_count = m.record_count + u.added,
      first_date = CASE WHEN u.has_other_dates THEN d.first_date ELSE m.first_date END,
      last_date = CASE WHEN u.has_other_dates THEN d.last_date ELSE m.last_date END,
      date_count = CASE WHEN u.has_other_dates THEN d.date_count ELSE m.date_count END
    FROM (
      SELECT venue, market, added, base, other <> 0 AS has_other_dates FROM unnest(
        ${texts(sql, changes, ({ venue }) => venue)}, ${texts(sql, changes, ({ market }) => market)},
        ${integers(sql, changes, ({ added }) => added)}, ${integers(sql, changes, ({ base }) => base)},
        ${integers(sql, changes, ({ hasOtherDates }) => hasOtherDates)}) AS u(venue, market, added, base, other)
    ) u
    CROSS JOIN LATERAL (
      SELECT min(date) AS first_date, max(date) AS last_date, count(*) AS date_count FROM days
      WHERE u.has_other_dates AND days.venue = u.venue AND days.market = u.market
    ) d
    WHERE m.venue = u.venue AND m.market = u.market
    RETURNING m.venue, m.market, m.date_count, u.has_other_dates)
    SELECT venue, market, date_count FROM changed WHERE has_other_dates`
  return new Map(
    rows.map((row: { venue: Venue; market: string; date_count: number }) => [nameOf(row), Number(row.date_count)]),
  )
}

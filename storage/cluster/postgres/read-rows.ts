// Reads rows of markets and days. Each answer is one statement, so it is as of one moment.

import type { MarketPage } from '../../catalogue.ts'
import type { PartitionKey } from '../../partition-key.ts'
import type { Venue } from '../../venue.ts'
import type { DayRow, DaysOf, MarketDays, MarketRow } from '../database/cluster-database.ts'
import type { Postgres, Queryable } from './connection.ts'
import { marketTable } from './finding/arrays.ts'

const KEYS_AT_ONCE = 10_000

/** Null fields if the date is not stored. */
type StoredDay = { date: string; head: Uint8Array; pieces: Uint8Array; segments: string[] }

export async function readMarketRows(
  postgres: Postgres,
  markets: readonly { venue: Venue; market: string }[],
): Promise<(MarketRow | undefined)[]> {
  const rows: (CountedRow & { revision: string; base: string; record_count: string; dates: string[] })[] =
    await postgres.ask(
      (sql) => sql`
        SELECT u.n, m.revision, m.base, m.record_count, ARRAY(
          SELECT date::text FROM days d WHERE d.venue = m.venue AND d.market = m.market ORDER BY d.date
        ) AS dates
        FROM ${marketTable(sql, markets)} JOIN markets m USING (venue, market) WHERE m.revision > 0`,
    )
  const found: (MarketRow | undefined)[] = markets.map(() => undefined)
  for (const { n, revision, base, record_count: recordCount, dates } of rows) {
    found[Number(n) - 1] = {
      ...{ revision: Number(revision), base: Number(base), recordCount: Number(recordCount), dates },
    }
  }
  return found
}

/** `n` is the number of the query: from 1 in `marketTable`, from 0 in `readDays`. */
type CountedRow = { n: string }

export async function readRevisions(
  postgres: Postgres,
  markets: readonly { venue: Venue; market: string }[],
): Promise<number[]> {
  const rows = await postgres.ask(
    (sql) => sql`
      SELECT u.n, m.revision FROM ${marketTable(sql, markets)} JOIN markets m USING (venue, market)`,
  )
  const revisions = markets.map(() => 0)
  for (const { n, revision } of rows) revisions[Number(n) - 1] = Number(revision)
  return revisions
}

export async function readDays(postgres: Postgres, questions: readonly DaysOf[]): Promise<MarketDays[]> {
  const rows: (CountedRow & StoredDay & { revision: string })[] = await postgres.ask(
    (sql) => sql`
      SELECT u.n, m.revision, d.date::text AS date, d.head, d.pieces, ${keysOfSegments(sql)} AS segments
      FROM jsonb_to_recordset(${JSON.stringify(questions.map((each, index) => ({ ...each, n: index })))}::text::jsonb)
        AS u(n bigint, venue text, market text, dates date[])
      JOIN markets m USING (venue, market)
      LEFT JOIN days d ON d.venue = m.venue AND d.market = m.market AND d.date = ANY(u.dates)
      ORDER BY u.n, d.date`,
  )
  const found = questions.map((): MarketDays => ({ revision: 0, days: [] }))
  for (const row of rows) {
    const answer = found[Number(row.n)]!
    answer.revision = Number(row.revision)
    if (row.date !== null) answer.days.push(dayRow(row))
  }
  return found
}

/** Returns the keys of the segments of the day `d`, in the order in which its pieces refer to them. */
export const keysOfSegments = (sql: Queryable) =>
  sql`ARRAY(
    SELECT s.key FROM unnest(d.segments) WITH ORDINALITY AS named(id, n) JOIN segments s ON s.id = named.id ORDER BY n
  )`

export const dayRow = ({ date, head, pieces, segments }: StoredDay): DayRow => ({ date, head, pieces, segments })

export async function readMarkets(
  postgres: Postgres,
  venue: Venue,
  { prefix, offset, limit }: { prefix: string; offset: number; limit: number },
): Promise<MarketPage> {
  const [row] = await postgres.ask(
    (sql) => sql`
      SELECT
        (SELECT count(*) FROM markets WHERE venue = ${venue} AND date_count > 0
          AND starts_with(market, ${prefix}) AND market >= ${prefix}) AS total,
        ARRAY(SELECT market FROM markets
          WHERE venue = ${venue} AND date_count > 0 AND starts_with(market, ${prefix}) AND market >= ${prefix}
          ORDER BY market OFFSET ${offset} LIMIT ${limit}) AS markets`,
  )
  return { markets: row.markets, totalCount: Number(row.total) }
}

export async function* readPartitions(postgres: Postgres, venue: Venue): AsyncGenerator<PartitionKey> {
  let [market, date] = ['', '0001-01-01']
  for (;;) {
    const rows: { market: string; date: string }[] = await postgres.ask(
      (sql) => sql`
        SELECT market, date::text AS date FROM days
        WHERE venue = ${venue} AND (market, date) > (${market}, ${date}::date)
        ORDER BY market, days.date LIMIT ${KEYS_AT_ONCE}`,
    )
    for (const row of rows) yield { venue, market: row.market, date: row.date }
    if (rows.length < KEYS_AT_ONCE) return
    const last = rows.at(-1)!
    ;[market, date] = [last.market, last.date]
  }
}

export async function readUnmoved(
  postgres: Postgres,
  venue: Venue,
  date: string,
  { after, limit }: { after: string; limit: number },
): Promise<{ market: string; day: DayRow }[]> {
  const rows: (StoredDay & { market: string })[] = await postgres.ask(
    (sql) => sql`
      SELECT d.market, d.date::text AS date, d.head, d.pieces, ${keysOfSegments(sql)} AS segments
      FROM days d
      WHERE d.venue = ${venue} AND d.date = ${date}::date AND NOT d.is_moved AND d.market > ${after}
      ORDER BY d.market LIMIT ${limit}`,
  )
  return rows.map((row) => ({ market: row.market, day: dayRow(row) }))
}

export async function readUnmovedDates(postgres: Postgres, venue: Venue, before: string): Promise<string[]> {
  const rows: { date: string }[] = await postgres.ask(
    (sql) => sql`
      SELECT DISTINCT date::text AS date FROM days
      WHERE venue = ${venue} AND date < ${before}::date AND NOT is_moved ORDER BY 1`,
  )
  return rows.map(({ date }) => date)
}

// Checks the rows of the catalogue against each other. Each check is one statement, so it sees one moment, even if
// commits run at the same time.

import { miscounted } from '../database/cluster-database.ts'
import type { Postgres } from './connection.ts'

/** The most sentences of each kind: further ones most likely have the same cause. */
const SENTENCES_MAX = 20
/** The checks read all rows. */
const TIMEOUT_MS = 3_600_000

export async function rowDamage(postgres: Postgres): Promise<string[]> {
  return [...(await segmentDamage(postgres)), ...(await markedDamage(postgres)), ...(await marketDamage(postgres))]
}

async function segmentDamage(postgres: Postgres): Promise<string[]> {
  const rows: { id: string; key: string | null; row_count: string | null; named: string }[] = await postgres.ask(
    (sql) => sql`
      WITH named AS (SELECT id, count(*) AS named FROM days, unnest(segments) AS id GROUP BY id)
      SELECT id, s.key, s.row_count, coalesce(n.named, 0) AS named FROM segments s FULL JOIN named n USING (id)
      WHERE s.row_count IS DISTINCT FROM coalesce(n.named, 0) ORDER BY id LIMIT ${SENTENCES_MAX}`,
    TIMEOUT_MS,
  )
  return rows.map(({ id, key, row_count: rowCount, named }) =>
    key === null
      ? `Rows name the segment number ${id}, which the catalogue does not know`
      : miscounted(key, Number(rowCount), Number(named)),
  )
}

async function markedDamage(postgres: Postgres): Promise<string[]> {
  const rows: { key: string; is_marked: boolean }[] = await postgres.ask(
    (sql) => sql`
      SELECT key, is_marked FROM segments WHERE row_count > 0 AND (is_marked OR unnamed_at IS NOT NULL)
      ORDER BY key LIMIT ${SENTENCES_MAX}`,
    TIMEOUT_MS,
  )
  return rows.map(({ key, is_marked: isMarked }) =>
    isMarked
      ? `The segment ${key} is marked to be swept, but rows name it`
      : `The segment ${key} is recorded as named by no row, but rows name it`,
  )
}

async function marketDamage(postgres: Postgres): Promise<string[]> {
  const rows: { venue: string; market: string }[] = await postgres.ask(
    (sql) => sql`
      WITH stored AS (
        SELECT venue, market, count(*) AS dates, sum(records) AS records, min(date) AS first, max(date) AS last
        FROM days GROUP BY venue, market
      )
      SELECT venue, market FROM markets m FULL JOIN stored s USING (venue, market)
      WHERE m.date_count IS DISTINCT FROM coalesce(s.dates, 0) OR m.record_count IS DISTINCT FROM coalesce(s.records, 0)
        OR m.first_date IS DISTINCT FROM s.first OR m.last_date IS DISTINCT FROM s.last
      ORDER BY venue, market LIMIT ${SENTENCES_MAX}`,
    TIMEOUT_MS,
  )
  const [count] = await postgres.ask(
    (sql) => sql`
      SELECT (SELECT value FROM counters WHERE name = 'market_count') AS counted,
        (SELECT count(*) FROM markets WHERE date_count > 0) AS stored`,
    TIMEOUT_MS,
  )
  const damage = rows.map(({ venue, market }) => `The entry of the ${venue} market ${market} differs from its days`)
  if (Number(count.counted) !== Number(count.stored)) {
    damage.push(`The catalogue counts ${count.counted} markets, but has entries for ${count.stored}`)
  }
  return damage
}

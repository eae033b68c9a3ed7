// Rows of segments: which exist, how many rows name each, and which are swept. A key that is swept stays known, so that
// nothing can name it again.

import type { TransactionSQL } from 'bun'
import { SegmentSwept } from '../database/cluster-database.ts'
import type { Postgres } from './connection.ts'

const KEYS_AT_ONCE = 10_000

/** Resolves to its number. Rejects with SegmentSwept where the key is known already. */
export async function nameSegment(
  sql: TransactionSQL,
  { key, bytes }: { key: string; bytes: number },
): Promise<string> {
  const [row] = await sql`
    INSERT INTO segments (key, bytes, row_count, unnamed_at, is_swept)
    VALUES (${key}, ${bytes}, 0, clock_timestamp(), false)
    ON CONFLICT (key) DO NOTHING RETURNING id`
  if (row === undefined) throw new SegmentSwept(key)
  return String(row.id)
}

/** The numbers of the segments that rows named before, and name now. */
export async function countRows(
  sql: TransactionSQL,
  changes: readonly { before: readonly string[]; after: readonly string[] }[],
): Promise<void> {
  const added = new Map<string, number>()
  const add = (id: string, count: number) => added.set(id, (added.get(id) ?? 0) + count)
  for (const { before, after } of changes) {
    for (const id of after) if (!before.includes(id)) add(id, 1)
    for (const id of before) if (!after.includes(id)) add(id, -1)
  }
  const changed = [...added].filter(([, count]) => count !== 0)
  if (changed.length === 0) return
  const ids = sql.array(
    changed.map(([id]) => id),
    'BIGINT',
  )
  const counts = sql.array(
    changed.map(([, count]) => count),
    'BIGINT',
  )
  // In their order: commits that name the same segments wait for one another, and no two for each other.
  await sql`SELECT id FROM segments WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`
  await sql`
    UPDATE segments s SET row_count = s.row_count + u.added,
      unnamed_at = CASE WHEN s.row_count + u.added > 0 THEN NULL ELSE clock_timestamp() END
    FROM unnest(${ids}, ${counts}) AS u(id, added) WHERE s.id = u.id`
}

export async function markSweepable(postgres: Postgres, graceMs: number, limit: number): Promise<string[]> {
  const rows: { key: string }[] = await postgres.write(
    (sql) => sql`
      UPDATE segments SET is_swept = true WHERE id IN (
        SELECT id FROM segments
        WHERE row_count = 0 AND (is_swept OR unnamed_at <= clock_timestamp() - ${graceMs}::bigint * interval '1 ms')
        ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
      ) RETURNING key`,
  )
  return rows.map(({ key }) => key)
}

export async function markUnknown(postgres: Postgres, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows: { key: string }[] = await postgres.write(
    (sql) => sql`
      INSERT INTO segments (key, bytes, row_count, unnamed_at, is_swept)
      SELECT key, 0, 0, clock_timestamp(), true FROM unnest(${sql.array([...keys], 'TEXT')}) AS u(key) ORDER BY key
      ON CONFLICT (key) DO NOTHING RETURNING key`,
  )
  return rows.map(({ key }) => key)
}

export async function forgetSwept(postgres: Postgres, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await postgres.write((sql) => sql`DELETE FROM segments WHERE is_swept AND key = ANY(${sql.array([...keys], 'TEXT')})`)
}

export async function* readSegments(postgres: Postgres): AsyncGenerator<{ key: string; bytes: number }> {
  let after = ''
  for (;;) {
    const rows: { key: string; bytes: string }[] = await postgres.ask(
      (sql) => sql`
        SELECT key, bytes FROM segments WHERE row_count > 0 AND key COLLATE "C" > ${after}
        ORDER BY key COLLATE "C" LIMIT ${KEYS_AT_ONCE}`,
    )
    for (const { key, bytes } of rows) yield { key, bytes: Number(bytes) }
    if (rows.length < KEYS_AT_ONCE) return
    after = rows.at(-1)!.key
  }
}

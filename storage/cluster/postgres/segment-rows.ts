// Rows of segments: which exist, how many rows name each, and which are marked or swept. A marked key stays in the
// table, so that nothing can name it any more.

import type { TransactionSQL } from 'bun'
import { type NamedSegment, SegmentSwept } from '../database/cluster-database.ts'
import type { Postgres, Queryable } from './connection.ts'

const KEYS_AT_ONCE = 10_000
const MARKS_AT_ONCE = 10_000

/** Inserts a segment and resolves to its number. Rejects with SegmentSwept if the key is known already. */
export async function nameSegment(
  sql: TransactionSQL,
  { key, bytes }: { key: string; bytes: number },
): Promise<string> {
  const [row] = await sql`
    INSERT INTO segments (key, bytes, row_count, unnamed_at, is_marked)
    VALUES (${key}, ${bytes}, 0, clock_timestamp(), false)
    ON CONFLICT (key) DO NOTHING RETURNING id`
  if (row === undefined) throw new SegmentSwept(key)
  return String(row.id)
}

/** Updates how many rows name each segment. `before` and `after` are the numbers of the segments that a row named
 *  before, and names now. */
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
  // Locks rows in order of id: commits that name the same segments wait for one another, without deadlocks.
  await sql`SELECT id FROM segments WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`
  await sql`
    UPDATE segments s SET row_count = s.row_count + u.added,
      unnamed_at = CASE WHEN s.row_count + u.added > 0 THEN NULL ELSE clock_timestamp() END
    FROM unnest(${ids}, ${counts}) AS u(id, added) WHERE s.id = u.id`
}

const isOld = (sql: Queryable, graceMs: number) =>
  sql`row_count = 0 AND unnamed_at <= clock_timestamp() - ${graceMs}::bigint * interval '1 ms'`

const keyArray = (sql: Queryable, keys: readonly string[]) => sql.array([...keys], 'TEXT')

export async function readUnnamed(
  postgres: Postgres,
  graceMs: number,
  { after, limit }: { after: string; limit: number },
): Promise<NamedSegment[]> {
  const rows: StoredSegment[] = await postgres.ask(
    (sql) => sql`
      SELECT key, bytes FROM segments
      WHERE unnamed_at IS NOT NULL AND swept_at IS NULL AND key > ${after} AND (is_marked OR ${isOld(sql, graceMs)})
      ORDER BY key LIMIT ${limit}`,
  )
  return rows.map(namedSegment)
}

export async function readUnknown(postgres: Postgres, keys: readonly string[]): Promise<string[]> {
  const rows: { key: string }[] = await postgres.ask(
    (sql) => sql`SELECT key FROM segments WHERE key = ANY(${keyArray(sql, keys)}) AND NOT is_marked`,
  )
  const known = new Set(rows.map(({ key }) => key))
  return keys.filter((key) => !known.has(key))
}

/** Waits for a running commit that has named one of the keys. */
export async function markKeys(postgres: Postgres, keys: readonly string[], graceMs: number): Promise<string[]> {
  const rows: { key: string }[] = await postgres.write(async (sql) => {
    await sql`
      INSERT INTO segments (key, bytes, row_count, unnamed_at, is_marked)
      SELECT key, NULL, 0, clock_timestamp(), true FROM unnest(${keyArray(sql, keys)}) AS u(key) ORDER BY key
      ON CONFLICT (key) DO NOTHING`
    await sql`SELECT id FROM segments WHERE key = ANY(${keyArray(sql, keys)}) ORDER BY id FOR UPDATE`
    await sql`
      UPDATE segments SET is_marked = true
      WHERE key = ANY(${keyArray(sql, keys)}) AND NOT is_marked AND ${isOld(sql, graceMs)}`
    return sql`SELECT key FROM segments WHERE key = ANY(${keyArray(sql, keys)}) AND is_marked`
  })
  return rows.map(({ key }) => key)
}

export async function noteSwept(postgres: Postgres, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await postgres.write(
    (sql) => sql`
      UPDATE segments SET swept_at = clock_timestamp() WHERE is_marked AND key = ANY(${keyArray(sql, keys)})`,
  )
}

export async function forgetMarks(postgres: Postgres, retainedMs: number): Promise<void> {
  for (let count = MARKS_AT_ONCE; count === MARKS_AT_ONCE; ) {
    const gone: unknown[] = await postgres.write(
      (sql) => sql`
        DELETE FROM segments WHERE id IN (
          SELECT id FROM segments WHERE swept_at <= clock_timestamp() - ${retainedMs}::bigint * interval '1 ms'
          ORDER BY id LIMIT ${MARKS_AT_ONCE} FOR UPDATE SKIP LOCKED
        ) RETURNING id`,
    )
    count = gone.length
  }
}

export async function* readSegments(postgres: Postgres): AsyncGenerator<NamedSegment> {
  for (let after = ''; ; ) {
    const rows: StoredSegment[] = await postgres.ask(
      (sql) => sql`
        SELECT key, bytes FROM segments WHERE unnamed_at IS NULL AND key > ${after} ORDER BY key LIMIT ${KEYS_AT_ONCE}`,
    )
    yield* rows.map(namedSegment)
    if (rows.length < KEYS_AT_ONCE) return
    after = rows.at(-1)!.key
  }
}

/** `bytes` is null if no row ever named the segment. */
type StoredSegment = { key: string; bytes: string | null }

const namedSegment = ({ key, bytes }: StoredSegment): NamedSegment => ({ key, bytes: Number(bytes ?? 0) })

// The statements that read and change rows of the table `catalogue`.

import type { TransactionSQL } from 'bun'
import { ALL_ROWS, type KeyRange, type RangePage, type Row, type RowCommit, type RowKey } from '../../rows/rows.ts'
import type { Queryable } from './connection.ts'

type StoredValue = { value: Uint8Array }
type StoredKey = { key: Buffer }

export async function readValues(sql: Queryable, keys: readonly RowKey[]): Promise<(Uint8Array | undefined)[]> {
  if (keys.length === 0) return []
  if (keys.length === 1) {
    const [row]: StoredValue[] = await sql`SELECT value FROM catalogue WHERE key = ${bytesOf(keys[0]!)}`
    return [row?.value]
  }
  const values: (Uint8Array | undefined)[] = keys.map(() => undefined)
  const rows: (StoredValue & { n: string })[] = await sql`
    SELECT u.n, catalogue.value FROM ${keyTable(sql, keys)} JOIN catalogue USING (key)`
  for (const { n, value } of rows) values[Number(n) - 1] = value
  return values
}

export async function readRange(sql: Queryable, page: RangePage): Promise<Row[]> {
  const rows: (StoredValue & StoredKey)[] = await sql`SELECT key, value ${pageOf(sql, page)}`
  return rows.map(({ key, value }) => ({ key: key.toString('latin1'), value }))
}

export async function readKeys(sql: Queryable, page: RangePage & { offset?: number }): Promise<RowKey[]> {
  const rows: StoredKey[] = await sql`SELECT key ${pageOf(sql, page)}`
  return rows.map(({ key }) => key.toString('latin1'))
}

export async function countRows(sql: Queryable, { from, to }: KeyRange, limit = ALL_ROWS): Promise<number> {
  const [row] = await sql`SELECT count(*) AS count FROM (SELECT key ${pageOf(sql, { from, to, limit })}) AS counted`
  return Number(row.count)
}

const pageOf = (sql: Queryable, { from, to, limit, isReversed = false, offset = 0 }: RangePage & { offset?: number }) =>
  sql`FROM catalogue WHERE key >= ${bytesOf(from)} AND key < ${bytesOf(to)}
    ORDER BY key ${isReversed ? sql`DESC` : sql`ASC`} LIMIT ${limit} OFFSET ${offset}`

/** Thrown to end a transaction if expected rows have changed. `indexes` are the indexes of the changed rows in
 *  `expect`. */
export class Changed extends Error {
  readonly indexes: number[]

  constructor(indexes: number[]) {
    super('the expected rows have changed')
    this.indexes = indexes
  }
}

/** Commits rows within a transaction. Throws Changed if expected rows have changed. Locks first the expected rows
 *  that are added, then those that exist, each group in the order of its keys. So commits cannot deadlock: a writer
 *  changes any other row only after it has locked the expected row to which the other row belongs. */
export async function commitRows(sql: TransactionSQL, { expect, put, remove }: RowCommit): Promise<void> {
  const absent = new Map<RowKey, number>()
  const existing: number[] = []
  for (const [index, { key, revision }] of expect.entries()) {
    if (revision.length === 0) absent.set(key, index)
    else existing.push(index)
  }
  const added = absent.size === 0 ? [] : put.filter(({ key }) => absent.has(key))
  const others = absent.size === 0 ? put : put.filter(({ key }) => !absent.has(key))
  const expected = existing.map((index) => expect[index]!)
  const [inserted, same] = await Promise.all([insertRows(sql, added), lockRows(sql, expected)])
  const changed = same === 'all' ? [] : existing.filter((_, n) => !same.has(n))
  for (const key of inserted) absent.delete(key)
  changed.push(...absent.values())
  if (changed.length > 0) throw new Changed(changed.sort((a, b) => a - b))
  await Promise.all([putRows(sql, others), removeRows(sql, remove)])
}

/** Inserts the rows that do not exist yet. Resolves to the keys of the inserted rows. */
async function insertRows(sql: TransactionSQL, rows: readonly Row[]): Promise<RowKey[]> {
  if (rows.length === 0) return []
  const inOrder = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const inserted: StoredKey[] = await sql`
    INSERT INTO catalogue ${rowTable(sql, inOrder)} ON CONFLICT (key) DO NOTHING RETURNING key`
  return inserted.map(({ key }) => key.toString('latin1'))
}

/** Locks rows. Resolves to the indexes of the rows that have their expected revisions; 'all' if all rows have. */
async function lockRows(sql: TransactionSQL, rows: RowCommit['expect']): Promise<'all' | Set<number>> {
  if (rows.length === 0) return 'all'
  const revisions = rows.map(({ revision }) => Buffer.from(revision).toString('latin1'))
  const keys = rows.map(({ key }) => key)
  const [row]: { same: string[] | null }[] = await sql`
    WITH locked AS (
      SELECT u.n, substring(catalogue.value FOR 8) = expected.revision AS is_same
      FROM ${keyTable(sql, keys)} JOIN catalogue USING (key)
      JOIN unnest(${arrayOf(revisions)}::text::bytea[]) WITH ORDINALITY AS expected (revision, n) ON expected.n = u.n
      ORDER BY catalogue.key FOR UPDATE OF catalogue
    )
    SELECT CASE WHEN count(*) FILTER (WHERE is_same) < ${rows.length}::integer
      THEN coalesce(array_agg(n::text) FILTER (WHERE is_same), '{}') END AS same FROM locked`
  return row!.same === null ? 'all' : new Set(row!.same.map((n) => Number(n) - 1))
}

async function putRows(sql: TransactionSQL, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  await sql`INSERT INTO catalogue ${rowTable(sql, rows)} ON CONFLICT (key) DO UPDATE SET value = excluded.value`
}

async function removeRows(sql: TransactionSQL, keys: readonly RowKey[]): Promise<void> {
  if (keys.length > 0) await sql`DELETE FROM catalogue USING ${keyTable(sql, keys)} WHERE catalogue.key = u.key`
}

/** A table `u` of keys; `n` counts from 1. */
const keyTable = (sql: Queryable, keys: readonly RowKey[]) =>
  sql`unnest(${arrayOf(keys)}::text::bytea[]) WITH ORDINALITY AS u (key, n)`

/** Returns the text of an array of bytea. One conversion to hex for all values is faster than one for each. */
function arrayOf(values: readonly string[]): string {
  const hex = bytesOf(values.join('')).toString('hex')
  let at = 0
  const literals = values.map((value) => {
    const start = at
    at += 2 * value.length
    return `"\\\\x${hex.slice(start, at)}"`
  })
  return `{${literals.join(',')}}`
}

/** Selects keys and values. All bytes are one parameter, because an array of byte strings would be sent as text. */
function rowTable(sql: Queryable, rows: readonly Row[]) {
  const keys = bytesOf(rows.map(({ key }) => key).join(''))
  const bytes = Buffer.concat([keys, ...rows.map(({ value }) => value)])
  const [keyStarts, keyLengths, valueStarts, valueLengths]: [number[], number[], number[], number[]] = [[], [], [], []]
  let [keyAt, valueAt] = [1, 1 + keys.length]
  for (const { key, value } of rows) {
    keyStarts.push(keyAt)
    keyLengths.push(key.length)
    valueStarts.push(valueAt)
    valueLengths.push(value.length)
    keyAt += key.length
    valueAt += value.length
  }
  return sql`
    SELECT substring(b.bytes FROM key_at FOR key_bytes), substring(b.bytes FROM value_at FOR value_bytes)
    FROM unnest(${integers(keyStarts)}::text::integer[], ${integers(keyLengths)}::text::integer[],
      ${integers(valueStarts)}::text::integer[], ${integers(valueLengths)}::text::integer[])
      AS r (key_at, key_bytes, value_at, value_bytes)
    CROSS JOIN (SELECT ${bytes}::bytea AS bytes) b`
}

const integers = (numbers: readonly number[]): string => `{${numbers.join(',')}}`
const bytesOf = (key: RowKey): Buffer => Buffer.from(key, 'latin1')

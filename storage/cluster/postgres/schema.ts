// The table of the catalogue, and its creation.

import { randomBytes } from 'node:crypto'
import type { TransactionSQL } from 'bun'
import { DataError, otherFormat } from '../../failures.ts'
import { keyOf, SECRET_KEY } from '../../rows/keys.ts'
import type { Row } from '../../rows/rows.ts'
import { openStoreValue, storeRow } from '../../rows/store-values.ts'
import type { Postgres, Queryable } from './connection.ts'
import { commitRows, readValues } from './row-statements.ts'

/** The version of the catalogue that this program reads and writes. */
export const CATALOGUE_VERSION = 3
const VERSION_KEY = keyOf('z', 'version')
/** The advisory lock for creating the table, the same in every process. */
const LOCK = 0x62_61_63_6c
/** A table of version 1. */
const OLD_TABLE = 'counters'

/** Every flush of a recorder rewrites rows. If the new version of a row fits into the same page, the index does not
 *  change and the page is reused. With a fifth of each page left free, nearly all rows fit after a few flushes. The
 *  second statement makes PostgreSQL store a row of usual size in one piece, without compressing it again. */
const TABLE = [
  'CREATE TABLE catalogue (key bytea PRIMARY KEY, value bytea NOT NULL) WITH (fillfactor = 80)',
  'ALTER TABLE catalogue ALTER value SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160)',
]

/** Creates a missing table, and a missing cursor secret: a restored catalogue has none. Throws
 *  DataError('store_unavailable') if another version created the catalogue, or if there is none and `mayWrite` is
 *  false. */
export async function prepareCatalogue(postgres: Postgres, schema: string, mayWrite: boolean): Promise<void> {
  const { version, hasSecret } = await postgres.ask((sql) => stateIn(sql, schema))
  if (version === CATALOGUE_VERSION && (hasSecret || !mayWrite)) return
  if (version !== undefined && version !== CATALOGUE_VERSION)
    throw otherFormat(`The catalogue in the schema ${schema}`, version, CATALOGUE_VERSION)
  if (!mayWrite) throw new DataError('store_unavailable', `There is no catalogue in the schema ${schema}`)
  await postgres.write(async (sql) => {
    // No other process passes this call until the transaction ends.
    await sql`SELECT pg_advisory_xact_lock(${LOCK})`
    const state = await stateIn(sql, schema)
    if (state.version === undefined) await makeTable(sql, schema)
    if (!state.hasSecret) await putRow(sql, storeRow(SECRET_KEY, randomBytes(32)))
  })
}

async function makeTable(sql: TransactionSQL, schema: string): Promise<void> {
  await sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`
  for (const statement of TABLE) await sql.unsafe(statement)
  await putRow(sql, storeRow(VERSION_KEY, CATALOGUE_VERSION))
}

const putRow = (sql: TransactionSQL, row: Row): Promise<void> => commitRows(sql, { expect: [], put: [row], remove: [] })

/** `version` is undefined if there is no catalogue. */
type State = { version: number | undefined; hasSecret: boolean }

async function stateIn(sql: Queryable, schema: string): Promise<State> {
  // Queries pg_class, because PostgreSQL's name cache may lack a table that another process has just created.
  const tables: { name: string }[] = await sql`
    SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ${schema} AND c.relname IN ('catalogue', ${OLD_TABLE})`
  if (tables.some(({ name }) => name === OLD_TABLE)) return { version: 1, hasSecret: true }
  if (tables.length === 0) return { version: undefined, hasSecret: false }
  const [version, secret] = await readValues(sql, [VERSION_KEY, SECRET_KEY])
  if (version !== undefined) {
    return { version: openStoreValue<number>(VERSION_KEY, version), hasSecret: secret !== undefined }
  }
  throw new DataError('store_unavailable', `The catalogue in the schema ${schema} is damaged: its version is missing`)
}

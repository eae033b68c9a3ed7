// The tables of the catalogue, and their creation.

import { randomBytes } from 'node:crypto'
import type { TransactionSQL } from 'bun'
import { DataError, otherFormat } from '../../failures.ts'
import type { Postgres } from './connection.ts'
import { FINDING_TABLES } from './finding-tables.ts'

/** The version of the catalogue that this program reads and writes. */
export const CATALOGUE_VERSION = 1
/** The advisory lock for creating tables, the same in every process. */
const LOCK = 0x62_61_63_6c

/** For tables whose rows every flush of a recorder rewrites. If the new version of a row fits into the same page, no
 *  index changes and the page is reused. With a fifth of each page left free, this holds for nearly all rows after a
 *  few flushes. */
const REWRITTEN = 'WITH (fillfactor = 80)'

/** Texts are compared by bytes, as everywhere in the program. A day's row names its segments by number, and its pieces
 *  refer to them by index. `row_count` is how many rows name a segment. `unnamed_at` is since when no row does, and
 *  null while one does. `bytes` is null if no row ever named the segment: such a row is a mark, and nothing can name
 *  its key any more. */
const TABLES = [
  `CREATE TABLE store (name text PRIMARY KEY, value bytea NOT NULL)`,
  `CREATE TABLE counters (name text PRIMARY KEY, value bigint NOT NULL)`,
  `CREATE TABLE markets (
    venue text COLLATE "C" NOT NULL,
    market text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    base bigint NOT NULL,
    record_count bigint NOT NULL,
    first_date date,
    last_date date,
    date_count integer NOT NULL,
    PRIMARY KEY (venue, market)
  ) ${REWRITTEN}`,
  `CREATE TABLE days (
    venue text COLLATE "C" NOT NULL,
    market text COLLATE "C" NOT NULL,
    date date NOT NULL,
    head bytea NOT NULL,
    pieces bytea NOT NULL,
    segments bigint[] NOT NULL,
    is_moved boolean NOT NULL,
    records bigint NOT NULL,
    trades bigint NOT NULL,
    volume numeric NOT NULL,
    gaps integer NOT NULL,
    gap_ms bigint NOT NULL,
    PRIMARY KEY (venue, market, date)
  ) ${REWRITTEN}`,
  // Keeps a row of usual size in one place, and does not compress again what is compressed already.
  `ALTER TABLE days ALTER head SET STORAGE EXTERNAL, ALTER pieces SET STORAGE EXTERNAL,
    SET (toast_tuple_target = 8160)`,
  `CREATE INDEX days_of_date ON days (venue, date, market)`,
  `CREATE INDEX days_unmoved ON days (venue, date, market) WHERE NOT is_moved`,
  `CREATE TABLE segments (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text COLLATE "C" NOT NULL UNIQUE,
    bytes bigint,
    row_count bigint NOT NULL,
    unnamed_at timestamptz,
    is_marked boolean NOT NULL,
    swept_at timestamptz
  )`,
  // After compaction, few segments are named among all that flushes ever wrote.
  `CREATE INDEX segments_named ON segments (key) INCLUDE (bytes) WHERE unnamed_at IS NULL`,
  `CREATE INDEX segments_unnamed ON segments (key) WHERE unnamed_at IS NOT NULL AND swept_at IS NULL`,
  `CREATE INDEX segments_swept ON segments (swept_at) WHERE swept_at IS NOT NULL`,
]

/** Creates the tables if they are missing. Throws DataError('store_unavailable') if another version created them. */
export async function prepareCatalogue(postgres: Postgres, schema: string, mayWrite: boolean): Promise<void> {
  const version = await readVersion(postgres, schema)
  if (version === CATALOGUE_VERSION) return
  if (version !== undefined) throw otherFormat(`The catalogue in the schema ${schema}`, version, CATALOGUE_VERSION)
  if (!mayWrite) throw new DataError('store_unavailable', `There is no catalogue in the schema ${schema}`)
  await postgres.write(async (sql) => {
    // No other process passes this call until the transaction ends.
    await sql`SELECT pg_advisory_xact_lock(${LOCK})`
    if ((await versionIn(sql, schema)) === undefined) await makeCatalogue(sql, schema)
  })
}

/** Creates the tables. Throws DataError('store_unavailable') if the database cannot hold them. */
async function makeCatalogue(sql: TransactionSQL, schema: string): Promise<void> {
  const [{ encoding }] = await sql`SELECT current_setting('server_encoding') AS encoding`
  if (encoding !== 'UTF8') {
    const message = `The database of the catalogue has the encoding ${encoding}: make one with the encoding UTF8`
    throw new DataError('store_unavailable', message)
  }
  await sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`
  for (const statement of [...TABLES, ...FINDING_TABLES]) await sql.unsafe(statement)
  await sql`INSERT INTO store VALUES ('cursor_secret', ${randomBytes(32)})`
  await sql`INSERT INTO counters VALUES ('version', ${CATALOGUE_VERSION}), ('markets_revision', 0), ('market_count', 0)`
}

const readVersion = (postgres: Postgres, schema: string) => postgres.ask((sql) => versionIn(sql, schema))

async function versionIn(sql: Parameters<Parameters<Postgres['ask']>[0]>[0], schema: string) {
  // Queries the catalogue tables: PostgreSQL's name cache may be older than what another process has just created.
  const [found] = await sql`
    SELECT EXISTS (
      SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ${schema} AND c.relname = 'counters'
    ) AS is_there`
  if (!found.is_there) return undefined
  const [row] = await sql`SELECT value FROM counters WHERE name = 'version'`
  return Number(row.value)
}

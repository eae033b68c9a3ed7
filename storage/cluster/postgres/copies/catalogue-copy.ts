// A copy of the catalogue: all rows of all of its tables as of one moment, while others commit; and such a copy put
// into a schema that has none.

import { randomBytes } from 'node:crypto'
import type { TransactionSQL } from 'bun'
import { DataError } from '../../../failures.ts'
import type { CatalogueSettings } from '../../settings/cluster-settings.ts'
import { aloneMakingTables, CATALOGUE_VERSION, makeCatalogue } from '../schema.ts'
import { inLongTransaction } from './long-transaction.ts'
import { type CopiedTable, columnsOf, copyOut, copyTable, fillTables, type TableColumns } from './table-rows.ts'

export const CATALOGUE_TABLES: readonly string[] = [
  ...['store', 'counters', 'markets', 'days', 'segments', 'leases', 'recorders'],
  ...['known_markets', 'market_metadata', 'event_metadata', 'slugs', 'sums', 'audits', 'loads', 'quality'],
]

/** Keys of objects and their bytes, ascending by key, with a tab between. */
const NAMED_OBJECTS = '(SELECT key, bytes FROM segments WHERE row_count > 0 ORDER BY key)'

export type CatalogueCopy = {
  version: number
  /** By PostgreSQL's clock: everything that was committed then is in it. */
  takenMs: number
  tables: CopiedTable[]
  markets: number
  marketDays: number
  records: number
  objects: { count: number; bytes: number }
}

type Rows = AsyncIterable<Uint8Array>
/** Takes the rows of a table, or, where the name is null, the list of the objects that rows name. */
export type TakeRows = (table: string | null, rows: Rows) => Promise<void>
type OnBytes = (bytes: number) => void

/** Rejects with DataError('store_unavailable'), also where there is no catalogue of this version. */
export async function copyCatalogue(
  { url, schema }: CatalogueSettings,
  take: TakeRows,
  onBytes: OnBytes,
): Promise<CatalogueCopy> {
  return inLongTransaction({ url, schema }, 'snapshot', async (sql, moved) => {
    const count = (bytes: number) => {
      moved()
      onBytes(bytes)
    }
    const [{ taken_ms: takenMs }] = await sql`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS taken_ms`
    const found = await columnsOf(sql, CATALOGUE_TABLES)
    await assertVersion(sql, schema, found)
    const tables: CopiedTable[] = []
    for (const table of found) {
      tables.push({ ...table, rows: await copyTable(sql, table, (rows) => take(table.name, rows), count) })
    }
    await copyOut(sql, NAMED_OBJECTS, (rows) => take(null, rows), count)
    const counts = await countsIn(sql)
    return { version: CATALOGUE_VERSION, takenMs: Math.floor(Number(takenMs)), tables, ...counts }
  })
}

async function assertVersion(sql: TransactionSQL, schema: string, found: readonly TableColumns[]): Promise<void> {
  if (found.length === 0) throw new DataError('store_unavailable', `There is no catalogue in the schema ${schema}`)
  const [row] = await sql`SELECT value FROM counters WHERE name = 'version'`
  if (Number(row?.value) === CATALOGUE_VERSION && found.length === CATALOGUE_TABLES.length) return
  throw new DataError(
    'store_unavailable',
    `The catalogue has version ${row?.value}, and this program copies version ${CATALOGUE_VERSION}`,
  )
}

async function countsIn(sql: TransactionSQL) {
  const [row] = await sql`
    SELECT m.*, o.* FROM
      (SELECT count(*) FILTER (WHERE date_count > 0) AS markets, coalesce(sum(date_count), 0) AS days,
        coalesce(sum(record_count), 0) AS records FROM markets) m,
      (SELECT count(*) AS objects, coalesce(sum(bytes), 0) AS bytes FROM segments WHERE row_count > 0) o`
  return {
    markets: Number(row.markets),
    marketDays: Number(row.days),
    records: Number(row.records),
    objects: { count: Number(row.objects), bytes: Number(row.bytes) },
  }
}

/** Rejects with DataError('store_unavailable') where PostgreSQL does not answer. */
export const hasTables = ({ url, schema }: CatalogueSettings): Promise<boolean> =>
  inLongTransaction({ url, schema }, 'snapshot', (sql) => isSchemaUsed(sql, schema))

async function isSchemaUsed(sql: TransactionSQL, schema: string): Promise<boolean> {
  const [row] = await sql`
    SELECT EXISTS (
      SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${schema}
    ) AS is_used`
  return Boolean(row.is_used)
}

export class SchemaTaken extends Error {}

/** In one transaction: all of it is there at once, or nothing. `last` runs when PostgreSQL has all rows, before anybody
 *  sees them. Cursors that the copied catalogue gave are not valid in it: it may go on with other records. Throws
 *  SchemaTaken where the schema has tables. */
export async function fillCatalogue(
  { url, schema }: CatalogueSettings,
  tables: readonly CopiedTable[],
  given: { rowsOf: (table: string) => Rows; last: () => Promise<void> },
  onBytes: OnBytes,
): Promise<void> {
  await inLongTransaction({ url, schema }, 'write', async (sql, moved) => {
    const count = (bytes: number) => {
      moved()
      onBytes(bytes)
    }
    await aloneMakingTables(sql)
    if (await isSchemaUsed(sql, schema)) throw new SchemaTaken(schema)
    await makeCatalogue(sql, schema)
    await fillTables(sql, CATALOGUE_TABLES, tables, given.rowsOf, count)
    await sql`SELECT setval(pg_get_serial_sequence('segments', 'id'), (SELECT max(id) FROM segments))`
    await sql`SELECT setval('known_numbers', (SELECT max(number) FROM known_markets))`
    await sql`UPDATE store SET value = ${randomBytes(32)} WHERE name = 'cursor_secret'`
    await given.last()
  })
}

// A copy of accounts that are in PostgreSQL, as of one moment, and such a copy put where there are no accounts.

import { inLongTransaction } from '../../../storage/cluster/postgres/copies/long-transaction.ts'
import {
  type CopiedTable,
  columnsOf,
  copyTable,
  fillTables,
} from '../../../storage/cluster/postgres/copies/table-rows.ts'
import { inSchemaOfAccounts } from './accounts-schema.ts'
import { MIGRATIONS, makeMigrationsTable, migrate } from './migrations.ts'

/** Those that others refer to come first. */
export const ACCOUNTS_TABLES: readonly string[] = [
  ...['schema_migrations', 'users', 'api_keys', 'accounts_revision', 'ended_secrets', 'key_uses', 'user_totals'],
  ...['user_hours', 'user_months', 'service_hours', 'service_months', 'market_days', 'recent_requests'],
  ...['usage_writers', 'subscriptions', 'stripe_events'],
]

type Rows = AsyncIterable<Uint8Array>
type OnBytes = (bytes: number) => void

/** Made by a program of another version: its tables are others. */
export class OtherAccounts extends Error {
  constructor(missing: string) {
    super(`the accounts lack the migration ${missing}, or have a newer one: start a server of this version once`)
  }
}

/** Null where there are none. Throws OtherAccounts. */
export function copyAccounts(
  url: string,
  take: (table: string, rows: Rows) => Promise<void>,
  onBytes: OnBytes,
): Promise<CopiedTable[] | null> {
  return inLongTransaction({ url, schema: null }, 'snapshot', async (sql, moved) => {
    if (!(await inSchemaOfAccounts(sql))) return null
    const found = await columnsOf(sql, ACCOUNTS_TABLES)
    const rows: { name: string }[] = await sql`SELECT name FROM schema_migrations ORDER BY name`
    const names = rows.map(({ name }) => name)
    const wanted = MIGRATIONS.map(({ name }) => name)
    if (!Bun.deepEquals(names, wanted)) throw new OtherAccounts(wanted.find((name) => !names.includes(name)) ?? '')
    const count = (bytes: number) => {
      moved()
      onBytes(bytes)
    }
    const copied: CopiedTable[] = []
    for (const table of found) {
      copied.push({ ...table, rows: await copyTable(sql, table, (bytes) => take(table.name, bytes), count) })
    }
    return copied
  })
}

/** Whether tables of accounts are there. */
export const hasAccounts = (url: string): Promise<boolean> =>
  inLongTransaction({ url, schema: null }, 'snapshot', inSchemaOfAccounts)

export class AccountsTaken extends Error {}

/** In one transaction. Throws AccountsTaken where tables of accounts are there. */
export async function fillAccounts(
  url: string,
  tables: readonly CopiedTable[],
  rowsOf: (table: string) => Rows,
  onBytes: OnBytes,
): Promise<void> {
  await inLongTransaction({ url, schema: null }, 'write', async (sql, moved) => {
    if (await inSchemaOfAccounts(sql)) throw new AccountsTaken()
    await makeMigrationsTable(sql)
    await migrate(sql)
    await fillTables(sql, ACCOUNTS_TABLES, tables, rowsOf, (bytes) => {
      moved()
      onBytes(bytes)
    })
  })
}

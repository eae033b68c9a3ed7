// In which schema of PostgreSQL the accounts are. PostgreSQL looks for tables in the schema that is called as its user,
// then in `public`: the former may be the schema of a cluster's catalogue, which came there after the accounts.

import type { TransactionSQL } from 'bun'

/** Until the transaction ends, tables are found and made where the accounts are; where there are none, in the first
 *  schema that holds no catalogue. Resolves to whether there are any. */
export async function inSchemaOfAccounts(sql: TransactionSQL): Promise<boolean> {
  const [row] = await sql`
    SELECT (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.oid = to_regclass('schema_migrations')) AS found,
      (SELECT name FROM unnest(current_schemas(false)) WITH ORDINALITY AS schemas(name, place)
        WHERE to_regclass(quote_ident(name) || '.counters') IS NULL ORDER BY place LIMIT 1) AS free`
  const schema: string | null = row.found ?? row.free
  if (schema !== null) await sql`SELECT set_config('search_path', quote_ident(${schema}), true)`
  return row.found !== null
}

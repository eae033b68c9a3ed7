// Finds the PostgreSQL schema of the accounts. PostgreSQL looks for a table in the schema named like its user, then in
// `public`. The accounts may be in `public` although the user has a schema: a cluster's catalogue may have created that
// schema later.

import type { TransactionSQL } from 'bun'

/** Sets the search path until the transaction ends: to the schema of the accounts, or if there are none, to the first
 *  schema without a catalogue. Resolves to whether accounts exist. */
export async function inSchemaOfAccounts(sql: TransactionSQL): Promise<boolean> {
  const [row] = await sql`
    SELECT (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.oid = to_regclass('schema_migrations')) AS found,
      (SELECT name FROM unnest(current_schemas(false)) WITH ORDINALITY AS schemas(name, place)
        WHERE to_regclass(quote_ident(name) || '.catalogue') IS NULL ORDER BY place LIMIT 1) AS free`
  const schema: string | null = row.found ?? row.free
  if (schema !== null) await sql`SELECT set_config('search_path', quote_ident(${schema}), true)`
  return row.found !== null
}

// The tables of the accounts, as the list of steps that made them. A step that was released is never changed: a new
// one is added. Plain SQL that SQLite and PostgreSQL both understand; times are ISO 8601 text in UTC.

import type { TransactionSQL } from 'bun'

const MIGRATIONS: readonly { name: string; statements: readonly string[] }[] = [
  {
    name: '001-users-and-keys',
    statements: [
      `CREATE TABLE users (
         user_id TEXT PRIMARY KEY,
         plan TEXT NOT NULL,
         created_at TEXT NOT NULL
       )`,
      // The secret itself is never stored: its SHA-256 in hexadecimal is.
      `CREATE TABLE api_keys (
         key_id TEXT PRIMARY KEY,
         user_id TEXT NOT NULL REFERENCES users (user_id),
         name TEXT NOT NULL,
         secret_sha256 TEXT NOT NULL UNIQUE,
         created_at TEXT NOT NULL,
         deleted_at TEXT
       )`,
      'CREATE INDEX api_keys_of_user ON api_keys (user_id)',
      // Grows with every change of keys or plans, so that other processes see cheaply that there was one.
      'CREATE TABLE accounts_revision (revision INTEGER NOT NULL)',
      'INSERT INTO accounts_revision (revision) VALUES (0)',
    ],
  },
]

/** Runs the steps that were not run yet. Call it in a transaction: all of them happen, or none. */
export async function migrate(sql: TransactionSQL): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)`
  const rows: { name: string }[] = await sql`SELECT name FROM schema_migrations`
  const applied = new Set(rows.map(({ name }) => name))
  for (const { name, statements } of MIGRATIONS) {
    if (applied.has(name)) continue
    for (const statement of statements) await sql.unsafe(statement)
    await sql`INSERT INTO schema_migrations (name, applied_at) VALUES (${name}, ${new Date().toISOString()})`
  }
}

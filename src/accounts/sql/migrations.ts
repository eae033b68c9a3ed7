// The tables of the accounts, as a list of migrations. A released migration never changes: add a new one. Plain SQL
// that both SQLite and PostgreSQL accept; times are ISO 8601 text in UTC.

import type { TransactionSQL } from 'bun'

type Migration = { name: string; statements: readonly string[] }

const USERS_AND_KEYS: Migration = {
  name: '001-users-and-keys',
  statements: [
    `CREATE TABLE users (
       user_id TEXT PRIMARY KEY,
       plan TEXT NOT NULL,
       created_at TEXT NOT NULL
     )`,
    // Only the secret's SHA-256 is stored, in hexadecimal.
    `CREATE TABLE api_keys (
       key_id TEXT PRIMARY KEY,
       user_id TEXT NOT NULL REFERENCES users (user_id),
       name TEXT NOT NULL,
       secret_sha256 TEXT NOT NULL UNIQUE,
       created_at TEXT NOT NULL,
       deleted_at TEXT
     )`,
    'CREATE INDEX api_keys_of_user ON api_keys (user_id)',
    // Grows with every change of keys or plans, so that other processes notice a change by reading one row.
    'CREATE TABLE accounts_revision (revision INTEGER NOT NULL)',
    'INSERT INTO accounts_revision (revision) VALUES (0)',
  ],
}

const TERMS_OF_KEYS: Migration = {
  name: '002-terms-of-keys',
  statements: [
    'ALTER TABLE api_keys ADD COLUMN expires_at TEXT',
    // Venues, separated by commas; null for all.
    'ALTER TABLE api_keys ADD COLUMN scopes TEXT',
    // The revision of the last change of this key or of its user's plan. Other processes read only keys with a newer
    // revision than they have read.
    'ALTER TABLE api_keys ADD COLUMN revision INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX api_keys_by_revision ON api_keys (revision)',
    'CREATE INDEX api_keys_of_user_by_age ON api_keys (user_id, created_at, key_id)',
    'DROP INDEX api_keys_of_user',
    `CREATE TABLE ended_secrets (
       secret_sha256 TEXT PRIMARY KEY,
       key_id TEXT NOT NULL REFERENCES api_keys (key_id),
       ended_at TEXT NOT NULL
     )`,
    'CREATE TABLE key_uses (key_id TEXT PRIMARY KEY, last_used_at TEXT NOT NULL)',
  ],
}

const USAGE: Migration = {
  name: '003-usage',
  statements: [
    // `hour` is its start, 2026-11-21T13:00:00Z; `month` is 2026-11. `calls` are the requests that count for the plan.
    'CREATE TABLE user_totals (user_id TEXT PRIMARY KEY, requests BIGINT NOT NULL)',
    `CREATE TABLE user_hours (
       user_id TEXT NOT NULL, hour TEXT NOT NULL, requests BIGINT NOT NULL,
       PRIMARY KEY (user_id, hour)
     )`,
    `CREATE TABLE user_months (
       user_id TEXT NOT NULL, month TEXT NOT NULL, calls BIGINT NOT NULL,
       PRIMARY KEY (user_id, month)
     )`,
    `CREATE TABLE service_hours (
       hour TEXT PRIMARY KEY,
       requests BIGINT NOT NULL, calls BIGINT NOT NULL, refused BIGINT NOT NULL, failed BIGINT NOT NULL
     )`,
    `CREATE TABLE service_months (
       month TEXT PRIMARY KEY,
       requests BIGINT NOT NULL, calls BIGINT NOT NULL, refused BIGINT NOT NULL, failed BIGINT NOT NULL
     )`,
    `CREATE TABLE market_days (
       day TEXT NOT NULL, venue TEXT NOT NULL, market TEXT NOT NULL, requests BIGINT NOT NULL,
       PRIMARY KEY (day, venue, market)
     )`,
    // Stores only the newest requests of each user: request n goes into `slot` n modulo the number of slots, and
    // replaces the one there.
    `CREATE TABLE recent_requests (
       user_id TEXT NOT NULL, slot INTEGER NOT NULL, ordinal BIGINT NOT NULL, time TEXT NOT NULL, method TEXT NOT NULL,
       path TEXT NOT NULL, status INTEGER NOT NULL, duration_ms DOUBLE PRECISION NOT NULL, key_id TEXT NOT NULL,
       PRIMARY KEY (user_id, slot)
     )`,
    // Finds the rows that are old enough to delete.
    'CREATE INDEX user_hours_by_age ON user_hours (hour)',
    // The last batch of each process, so that a batch whose commit was not confirmed is not counted twice.
    'CREATE TABLE usage_writers (writer TEXT PRIMARY KEY, batch BIGINT NOT NULL, written_at TEXT NOT NULL)',
  ],
}

const SUBSCRIPTIONS: Migration = {
  name: '004-subscriptions',
  statements: [
    'ALTER TABLE users ADD COLUMN stripe_customer_id TEXT',
    // The plan that is paid for, or null. It overrides the plan that an operator set.
    'ALTER TABLE users ADD COLUMN subscription_plan TEXT',
    'CREATE UNIQUE INDEX users_by_stripe_customer ON users (stripe_customer_id)',
    `CREATE TABLE subscriptions (
       subscription_id TEXT PRIMARY KEY,
       user_id TEXT NOT NULL REFERENCES users (user_id),
       plan TEXT,
       status TEXT NOT NULL,
       created_at TEXT NOT NULL,
       current_period_start TEXT,
       current_period_end TEXT,
       event_created BIGINT NOT NULL
     )`,
    'CREATE INDEX subscriptions_of_user ON subscriptions (user_id)',
    'CREATE TABLE stripe_events (event_id TEXT PRIMARY KEY, type TEXT NOT NULL, received_at TEXT NOT NULL)',
  ],
}

const MIGRATIONS: readonly Migration[] = [USERS_AND_KEYS, TERMS_OF_KEYS, USAGE, SUBSCRIPTIONS]

/** Creates the table that lists the applied migrations, if missing. */
export async function makeMigrationsTable(sql: TransactionSQL): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)`
}

/** Runs the missing migrations in a transaction that runs alone: all of them or none. Throws if a newer version of
 *  backbook created the tables, because this version could damage them. */
export async function migrate(sql: TransactionSQL): Promise<void> {
  const rows: { name: string }[] = await sql`SELECT name FROM schema_migrations`
  const applied = new Set(rows.map(({ name }) => name))
  const unknown = rows.filter(({ name }) => MIGRATIONS.every((migration) => migration.name !== name))
  if (unknown.length > 0) {
    throw new Error(`The accounts database was made by a newer version of backbook: it has ${unknown[0]?.name}`)
  }
  for (const { name, statements } of MIGRATIONS) {
    if (applied.has(name)) continue
    for (const statement of statements) await sql.unsafe(statement)
    await sql`INSERT INTO schema_migrations (name, applied_at) VALUES (${name}, ${new Date().toISOString()})`
  }
}

// Tests the migrations: each runs once, even if several processes start together, and keeps the stored data.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { onEachDatabase, openEmpty } from '../../../test/support/accounts.ts'
import { readKey } from '../keys/keys.ts'
import { openAccountsDatabase } from './accounts-database.ts'

const MODULE = join(import.meta.dir, 'accounts-database.ts')
const ALL = ['001-users-and-keys', '002-terms-of-keys', '003-usage', '004-subscriptions']

async function openElsewhere(url: string): Promise<number> {
  const script = `const { openAccountsDatabase } = await import(${JSON.stringify(MODULE)})
    const database = await openAccountsDatabase(${JSON.stringify(url)})
    await database.close()`
  return Bun.spawn([process.execPath, '-e', script], { stderr: 'inherit' }).exited
}

/** SQL that returns the database to its first migration, with one key in it. */
const FIRST_STEP = [
  "INSERT INTO users (user_id, plan, created_at) VALUES ('ann', 'pro', '2026-01-01T00:00:00.000Z')",
  `INSERT INTO api_keys (key_id, user_id, name, secret_sha256, created_at)
   VALUES ('key_1', 'ann', 'laptop', 'abc', '2026-01-01T00:00:00.000Z')`,
  ...['stripe_events', 'subscriptions', 'usage_writers', 'recent_requests', 'market_days', 'service_months'],
  ...['service_hours', 'user_months', 'user_hours', 'user_totals', 'key_uses', 'ended_secrets'],
  'DROP INDEX users_by_stripe_customer',
  'DROP INDEX api_keys_of_user_by_age',
  'DROP INDEX api_keys_by_revision',
  ...['stripe_customer_id', 'subscription_plan'].map((column) => `ALTER TABLE users DROP COLUMN ${column}`),
  ...['expires_at', 'scopes', 'revision'].map((column) => `ALTER TABLE api_keys DROP COLUMN ${column}`),
  'CREATE INDEX api_keys_of_user ON api_keys (user_id)',
  "DELETE FROM schema_migrations WHERE name <> '001-users-and-keys'",
].map((statement) => (statement.includes(' ') ? statement : `DROP TABLE ${statement}`))

onEachDatabase((make) => {
  test('each step runs once, from however many processes the database is opened at a time', async () => {
    await using empty = await make()
    expect(await Promise.all([1, 2, 3, 4].map(() => openElsewhere(empty.url)))).toEqual([0, 0, 0, 0])
    const database = await openAccountsDatabase(empty.url)
    const rows: { name: string }[] = await database.read`SELECT name FROM schema_migrations ORDER BY name`
    expect(rows.map(({ name }) => name)).toEqual(ALL)
    await database.close()
  })

  test('a key of the first version is there after the later steps', async () => {
    await using opened = await openEmpty(make)
    await opened.database.write(async (sql) => {
      for (const statement of FIRST_STEP) await sql.unsafe(statement)
    })
    const database = await openAccountsDatabase(opened.url)
    expect(await readKey(database.read, 'key_1')).toEqual({
      keyId: 'key_1',
      userId: 'ann',
      name: 'laptop',
      status: 'active',
      createdAt: '2026-01-01T00:00:00.000Z',
      lastUsedAt: null,
      expiresAt: null,
      scopes: null,
    })
    await database.close()
  })

  test('a database of a newer version is refused', async () => {
    await using opened = await openEmpty(make)
    await opened.database.write(
      async (sql) => void (await sql`INSERT INTO schema_migrations (name, applied_at) VALUES ('999-later', 'x')`),
    )
    const error = await openAccountsDatabase(opened.url).catch((each: unknown) => each)
    expect(String(error)).toContain('made by a newer version of backbook: it has 999-later')
  })
})

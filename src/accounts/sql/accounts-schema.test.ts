// The accounts are found in their own schema, even if a cluster's catalogue is created in the first schema of
// PostgreSQL's search path, and even by a user who may not create tables.

import { describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { openPostgresRows } from '../../../storage/cluster/postgres/postgres-rows.ts'
import { makeEmptyPostgres } from '../../../test/support/accounts.ts'
import { openAccounts } from '../open-accounts.ts'

async function userOf(url: string, secret: string): Promise<string> {
  const accounts = await openAccounts(url)
  const answer = await accounts.authenticate(secret)
  await accounts.close()
  return answer.ok ? answer.key.userId : answer.reason
}

async function makeKey(url: string): Promise<string> {
  const accounts = await openAccounts(url)
  const { secret } = await accounts.createKey({ userId: 'ann', name: 'laptop', plan: 'pro' })
  await accounts.close()
  return secret
}

/** Creates a cluster's catalogue in the schema that has the user's name. */
async function makeCatalogue(url: string): Promise<void> {
  const settings = { url, schema: decodeURIComponent(new URL(url).username), timeoutMs: 10_000 }
  await (await openPostgresRows(settings, { mayWrite: true })).close()
}

async function schemasOf(url: string, table: string): Promise<string[]> {
  await using sql = new SQL(url)
  const rows: { name: string }[] = await sql`
    SELECT n.nspname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relname = ${table}`
  return rows.map(({ name }) => name)
}

const suite = () => {
  test('a catalogue that comes later does not hide them', async () => {
    await using empty = (await makeEmptyPostgres())!
    const secret = await makeKey(empty.url)
    await makeCatalogue(empty.url)
    expect(await userOf(empty.url, secret)).toBe('ann')
    expect(await schemasOf(empty.url, 'users')).toEqual(['public'])
  })

  test('they are not made within a catalogue', async () => {
    await using empty = (await makeEmptyPostgres())!
    await makeCatalogue(empty.url)
    const secret = await makeKey(empty.url)
    expect(await userOf(empty.url, secret)).toBe('ann')
    expect(await schemasOf(empty.url, 'users')).toEqual(['public'])
  })

  test('a user who may not create tables uses the existing ones', async () => {
    await using empty = (await makeEmptyPostgres())!
    const secret = await makeKey(empty.url)
    const role = `role_${crypto.randomUUID().replaceAll('-', '')}`
    await using sql = new SQL(empty.url)
    await sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'p'`)
    try {
      await sql.unsafe(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`)
      const url = new URL(empty.url)
      url.username = role
      url.password = 'p'
      expect(await userOf(url.href, secret)).toBe('ann')
      expect(await userOf(url.href, await makeKey(url.href))).toBe('ann')
    } finally {
      await sql.unsafe(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    }
  })
}

if (process.env['POSTGRES_TEST_URL']) describe('accounts in PostgreSQL', suite)
else describe.skip('accounts in PostgreSQL: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', suite)

// Tests a PostgreSQL server that becomes unreachable, with and without closed connections, and is reachable again.
// The connections go through a relay, which the test can block.

import { describe, expect, test } from 'bun:test'
import { relayTo } from '../../../test/support/cluster/relay.ts'
import { AccountsUnavailable } from './accounts-unavailable.ts'
import { openPostgres } from './postgres-database.ts'

const POSTGRES = process.env['POSTGRES_TEST_URL']
/** Maximum time of an answer, ms. Long enough for a busy machine: the server starts a process for each connection. */
const ANSWER_MS_MAX = 2_000

const suite = () => {
  const one = async (sql: ReturnType<typeof openPostgres>['read']) => {
    const rows: { one: number }[] = await sql`SELECT 1 AS one`
    return rows[0]?.one
  }

  test('connections that die silently are replaced by new ones', async () => {
    await using relay = await relayTo(new URL(POSTGRES!))
    const database = openPostgres(relay.url, ANSWER_MS_MAX)
    expect(await one(database.read)).toBe(1)
    relay.state.isHole = true
    const [read, write] = await Promise.all([
      one(database.read).catch((error: unknown) => error),
      database.write((sql) => one(sql)).catch((error: unknown) => error),
    ])
    expect([read, write].map((error) => error instanceof AccountsUnavailable)).toContain(true)
    expect(await one(database.read)).toBe(1)
    expect(await database.write((sql) => one(sql))).toBe(1)
    await database.close()
  })

  test('a server that cannot be reached is unavailable, and answers when it is back', async () => {
    await using relay = await relayTo(new URL(POSTGRES!))
    const database = openPostgres(relay.url)
    expect(await one(database.read)).toBe(1)
    relay.state.isShut = true
    relay.drop()
    await Bun.sleep(20)
    expect(await one(database.read).catch((error: unknown) => error)).toBeInstanceOf(AccountsUnavailable)
    relay.state.isShut = false
    expect(await one(database.read)).toBe(1)
    await database.close()
  })

  test('an invalid statement does not count as an outage', async () => {
    const database = openPostgres(POSTGRES!)
    const error = await database.read.unsafe('SELECT nonsense').catch((each: unknown) => each)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(AccountsUnavailable)
    await database.close()
  })
}

if (POSTGRES) describe('on PostgreSQL', suite)
else describe.skip('on PostgreSQL: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', suite)

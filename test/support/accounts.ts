// Accounts databases for tests: every suite that touches SQL runs on SQLite and on PostgreSQL.

import { describe } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { type Accounts, type AccountsSettings, openAccounts } from '../../src/accounts/open-accounts.ts'
import { type AccountsDatabase, openAccountsDatabase } from '../../src/accounts/sql/accounts-database.ts'
import type { AppDependencies } from '../../src/app.ts'
import { isPresent } from '../run/missing.ts'
import { type Answer, ask, temporaryFolder, testApp } from './server.ts'

/** Makes an empty database and returns its address. The database is gone when the block ends: `await using empty =
 *  await make()`. */
export type MakeEmpty = () => Promise<{ url: string } & AsyncDisposable>

/** The server that `.ci/with-postgres` starts. */
const POSTGRES = process.env['POSTGRES_TEST_URL']
isPresent(POSTGRES !== undefined, 'PostgreSQL (.ci/with-postgres)')

/** Runs a suite on each database. Without PostgreSQL, lists that half of the suite as skipped. */
export function onEachDatabase(suite: (make: MakeEmpty) => void): void {
  describe('on SQLite', () => suite(makeSqlite))
  if (POSTGRES) describe('on PostgreSQL', () => suite(() => makePostgres(POSTGRES)))
  else
    describe.skip('on PostgreSQL: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', () =>
      suite(makeSqlite))
}

/** An opened empty database: `await using opened = await openEmpty(make)`. */
export async function openEmpty(
  make: MakeEmpty,
): Promise<{ database: AccountsDatabase; url: string } & AsyncDisposable> {
  const empty = await make()
  const database = await openAccountsDatabase(empty.url)
  return {
    database,
    url: empty.url,
    async [Symbol.asyncDispose]() {
      await database.close()
      await empty[Symbol.asyncDispose]()
    },
  }
}

const makeSqlite: MakeEmpty = async () => {
  const folder = temporaryFolder()
  return {
    url: `sqlite://${join(folder.path, 'new', 'accounts.sqlite')}`,
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  }
}

/** Makes an empty database on PostgreSQL; undefined if there is no PostgreSQL. */
export const makeEmptyPostgres = async () => (POSTGRES ? makePostgres(POSTGRES) : undefined)

async function makePostgres(server: string): ReturnType<MakeEmpty> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await asAdmin(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, [Symbol.asyncDispose]: () => asAdmin(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

async function asAdmin(server: string, statement: string): Promise<void> {
  const sql = new SQL(server, { max: 1 })
  await sql.unsafe(statement)
  await sql.close()
}

/** A whole app over accounts on an empty database: `await using served = await serveAccounts(make)`. */
export async function serveAccounts(
  make: MakeEmpty,
  { accounts: settings, ...changes }: { accounts?: AccountsSettings } & Partial<Omit<AppDependencies, 'accounts'>> = {},
): Promise<ServedAccounts> {
  const empty = await make()
  const accounts = await openAccounts(empty.url, settings)
  const app = testApp({ accounts, ...changes })
  return {
    accounts,
    url: empty.url,
    ask: (path, init = { headers: {} }) => ask(app, path, init),
    call: (secret, path) => ask(app, path, { headers: { authorization: `Bearer ${secret}` } }),
    async [Symbol.asyncDispose]() {
      await accounts.close()
      await empty[Symbol.asyncDispose]()
    },
  }
}

export type ServedAccounts = AsyncDisposable & {
  accounts: Accounts
  url: string
  /** Sends a request without a key. */
  ask: (path: string, init?: RequestInit) => Promise<Answer>
  /** Sends a request with a key. */
  call: (secret: string, path: string) => Promise<Answer>
}

/** A clock of elapsed time that a test advances. */
export function handClock(): { elapsedMs: () => number; pass: (ms: number) => void } {
  let elapsedMs = 0
  return {
    elapsedMs: () => elapsedMs,
    pass(ms) {
      elapsedMs += ms
    },
  }
}

export const json = (method: string, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

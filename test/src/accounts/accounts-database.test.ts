// The accounts database on SQLite: made where missing, transactions alone and undone when they fail.

import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openAccountsDatabase } from '../../../src/accounts/accounts-database.ts'
import { temporaryFolder } from '../../support/server.ts'

const urlIn = (folder: { path: string }) => `sqlite://${join(folder.path, 'new', 'a.sqlite')}`
const INSERT = "INSERT INTO users (user_id, plan, created_at) VALUES ('a', 'free', 'now')"

async function userCount({ read }: Awaited<ReturnType<typeof openAccountsDatabase>>): Promise<number> {
  const [row]: { count: number }[] = await read`SELECT count(*) AS count FROM users`
  return Number(row?.count)
}

test('the file is made where it is missing, in WAL mode', async () => {
  using folder = temporaryFolder()
  const database = await openAccountsDatabase(urlIn(folder))
  const [row]: { journal_mode: string }[] = await database.read.unsafe('PRAGMA journal_mode')
  expect(row?.journal_mode).toBe('wal')
  await database.close()
  expect(statSync(join(folder.path, 'new', 'a.sqlite')).isFile()).toBe(true)
})

test('what a failed transaction did is undone, and the next one is not touched by it', async () => {
  using folder = temporaryFolder()
  const database = await openAccountsDatabase(urlIn(folder))
  const failing = database.write(async (sql) => {
    await sql.unsafe(INSERT)
    await Bun.sleep(10)
    throw new Error('changed my mind')
  })
  const next = database.write(async (sql) => void (await sql.unsafe(INSERT)))
  const error = await failing.catch((each: unknown) => each)
  expect(String(error)).toContain('changed my mind')
  await next
  expect(await userCount(database)).toBe(1)
  await database.close()
})

test('a reader sees nothing of a transaction that is not done', async () => {
  using folder = temporaryFolder()
  const database = await openAccountsDatabase(urlIn(folder))
  await database.write(async (sql) => {
    await sql.unsafe(INSERT)
    expect(await userCount(database)).toBe(0)
  })
  expect(await userCount(database)).toBe(1)
  await database.close()
})

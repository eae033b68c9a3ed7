// Tests transactions of the accounts database: a failed one is undone, and others see only a committed one.

import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { onEachDatabase, openEmpty } from '../../../test/support/accounts.ts'
import { temporaryFolder } from '../../../test/support/server.ts'
import { type AccountsDatabase, openAccountsDatabase } from './accounts-database.ts'

const insert = (userId: string) =>
  `INSERT INTO users (user_id, plan, created_at) VALUES ('${userId}', 'free', '2026-01-01T00:00:00.000Z')`

async function userCount({ read }: AccountsDatabase): Promise<number> {
  const [row]: { count: number }[] = await read`SELECT count(*) AS count FROM users`
  return Number(row?.count)
}

onEachDatabase((make) => {
  test('a failed transaction is undone, and does not affect the next one', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const failing = database.write(async (sql) => {
      await sql.unsafe(insert('a'))
      await Bun.sleep(10)
      throw new Error('changed my mind')
    })
    const next = database.write(async (sql) => void (await sql.unsafe(insert('b'))))
    const error = await failing.catch((each: unknown) => each)
    expect(String(error)).toContain('changed my mind')
    await next
    expect(await userCount(database)).toBe(1)
  })

  test('transactions with different durability may run at once', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    const kinds = ['power-cut', 'process-end', 'process-end', 'power-cut'] as const
    const writes = kinds.map((survives, index) =>
      database.write(async (sql) => {
        await sql.unsafe(insert(`user ${index}`))
        await Bun.sleep(2)
      }, survives),
    )
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(kinds.map(() => 'fulfilled'))
    expect(await userCount(database)).toBe(4)
  })

  test('a reader sees nothing of a transaction that is not done', async () => {
    await using opened = await openEmpty(make)
    const { database } = opened
    await database.write(async (sql) => {
      await sql.unsafe(insert('a'))
      expect(await userCount(database)).toBe(0)
    }, 'process-end')
    expect(await userCount(database)).toBe(1)
  })

  test('two connections that write at once wait for each other, and neither blocks the thread', async () => {
    await using opened = await openEmpty(make)
    const other = await openAccountsDatabase(opened.url)
    let ticks = 0
    const ticking = setInterval(() => (ticks += 1), 5)
    const slow = async (database: AccountsDatabase, userId: string) =>
      database.write(async (sql) => {
        await sql.unsafe(insert(userId))
        await Bun.sleep(50)
      })
    await Promise.all([slow(opened.database, 'a'), slow(other, 'b'), slow(opened.database, 'c'), slow(other, 'd')])
    clearInterval(ticking)
    expect(await userCount(opened.database)).toBe(4)
    expect(ticks).toBeGreaterThan(5)
    await other.close()
  })
})

test('a missing SQLite file is created, in WAL mode', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'new', 'a.sqlite')
  const database = await openAccountsDatabase(`sqlite://${path}`)
  const [row]: { journal_mode: string }[] = await database.read.unsafe('PRAGMA journal_mode')
  expect(row?.journal_mode).toBe('wal')
  await database.close()
  expect(statSync(path).isFile()).toBe(true)
})

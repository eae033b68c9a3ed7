// The SQL database of the accounts: a SQLite file, or PostgreSQL. What is written here must run on both.
//
// On SQLite a connection is one line of statements: whatever runs while a transaction awaits becomes part of it, and is
// lost with it. So reads have a connection of their own, and transactions wait for one another.

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { SQL, type TransactionSQL } from 'bun'
import { migrate } from './migrations.ts'

export type AccountsDatabase = {
  read: SQL
  /** Runs alone; what it did is undone when it throws. */
  write<T>(run: (sql: TransactionSQL) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Opens, makes what is missing, and brings the tables up to date. */
export async function openAccountsDatabase(url: string): Promise<AccountsDatabase> {
  const database = url.startsWith('sqlite://') ? await openSqlite(url.slice('sqlite://'.length)) : openPostgres(url)
  await database.write(migrate)
  return database
}

async function openSqlite(path: string): Promise<AccountsDatabase> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const [read, writer] = [await sqliteConnection(path), await sqliteConnection(path)]
  let last: Promise<unknown> = Promise.resolve()
  return {
    read,
    write(run) {
      const result = last.then(() => writer.begin('immediate', run))
      last = result.catch(() => undefined)
      return result
    },
    async close() {
      await last
      await Promise.all([read.close(), writer.close()])
    },
  }
}

async function sqliteConnection(path: string): Promise<SQL> {
  const sql = new SQL({ adapter: 'sqlite', filename: path })
  await sql.unsafe('PRAGMA busy_timeout = 5000')
  await sql.unsafe('PRAGMA journal_mode = WAL')
  await sql.unsafe('PRAGMA foreign_keys = ON')
  return sql
}

function openPostgres(url: string): AccountsDatabase {
  const sql = new SQL(url)
  return { read: sql, write: (run) => sql.begin(run), close: () => sql.close() }
}

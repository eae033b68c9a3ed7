// The SQL database of the accounts: a SQLite file, or PostgreSQL. What is asked of it must run on both; what differs
// between them is in sqlite-database.ts and postgres-database.ts and nowhere else.

import type { SQL, TransactionSQL } from 'bun'
import { AccountsUnavailable } from './accounts-unavailable.ts'
import { migrate } from './migrations.ts'
import { openPostgres } from './postgres-database.ts'
import { openSqlite } from './sqlite-database.ts'

/** `process-end`: what was written is there after kill -9; a power cut may lose the last second of it. */
export type Survives = 'power-cut' | 'process-end'

/** Reading and writing reject with AccountsUnavailable where the database cannot be asked now. */
export type AccountsDatabase = {
  read: SQL
  /** One transaction: what it did is undone when it throws. */
  write<T>(run: (sql: TransactionSQL) => Promise<T>, survives?: Survives): Promise<T>
  /** Inside a transaction: no other process is in one that asked for this, until it ends. */
  alone(sql: TransactionSQL): Promise<void>
  close(): Promise<void>
}

/** Opens, makes what is missing, and brings the tables up to date. */
export async function openAccountsDatabase(url: string): Promise<AccountsDatabase> {
  const database = url.startsWith('sqlite://') ? await openSqlite(url.slice('sqlite://'.length)) : openPostgres(url)
  try {
    await database.write(async (sql) => {
      await database.alone(sql)
      await migrate(sql)
    })
  } catch (error) {
    await database.close()
    throw error instanceof AccountsUnavailable ? cannotOpen(url, error) : error
  }
  return database
}

/** For who starts the program: where it was looked, without the password, and what was said there. */
function cannotOpen(url: string, { cause }: AccountsUnavailable): Error {
  const { host, pathname } = new URL(url)
  const place = url.startsWith('sqlite://') ? `in ${url.slice('sqlite://'.length)}` : `at ${host}${pathname}`
  return new Error(`Cannot open the accounts ${place}: ${(cause as Error).message}`, { cause })
}

// The SQL database of the accounts: a SQLite file, or PostgreSQL. Statements must run on both. Only sqlite-database.ts
// and postgres-database.ts know the differences.

import { SQL, type TransactionSQL } from 'bun'
import { AccountsUnavailable } from './accounts-unavailable.ts'
import { migrate } from './migrations.ts'
import { openPostgres } from './postgres-database.ts'
import { openSqlite } from './sqlite-database.ts'

/** `process-end`: a write survives kill -9, but a power cut may lose the last second. */
export type Survives = 'power-cut' | 'process-end'

/** Reads and writes reject with AccountsUnavailable if the database does not answer. */
export type AccountsDatabase = {
  read: SQL
  /** Runs one transaction, rolled back if it throws. */
  write<T>(run: (sql: TransactionSQL) => Promise<T>, survives?: Survives): Promise<T>
  /** Within a transaction: blocks other processes at this call until the transaction ends. */
  alone(sql: TransactionSQL): Promise<void>
  /** Within a transaction: finds the accounts, or creates the migrations table if there are none. */
  prepare(sql: TransactionSQL): Promise<void>
  close(): Promise<void>
}

/** Opens the database, creates it if missing, and migrates its tables. */
export async function openAccountsDatabase(url: string): Promise<AccountsDatabase> {
  const database = url.startsWith('sqlite://') ? await openSqlite(url.slice('sqlite://'.length)) : openPostgres(url)
  try {
    await database.write(async (sql) => {
      await database.alone(sql)
      await database.prepare(sql)
      await migrate(sql)
    })
  } catch (error) {
    await database.close()
    if (error instanceof AccountsUnavailable) throw cannotOpen(url, error.cause as Error)
    throw error instanceof SQL.PostgresError ? cannotOpen(url, error) : error
  }
  return database
}

/** Returns the error for the person who starts the program. It contains the address without its password, and the
 *  reason. */
function cannotOpen(url: string, cause: Error): Error {
  const { host, pathname } = new URL(url)
  const place = url.startsWith('sqlite://') ? `in ${url.slice('sqlite://'.length)}` : `at ${host}${pathname}`
  return new Error(`Cannot open the accounts ${place}: ${cause.message}`, { cause })
}

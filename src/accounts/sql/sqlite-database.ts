// The accounts in a SQLite file.
//
// A connection runs its statements in order: a statement sent during a transaction becomes part of the transaction,
// and is lost if the transaction rolls back. So reads have their own connection, and transactions wait for one
// another. If another process holds a lock, SQLite would block this thread and all requests, so this file retries
// instead.

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { SQL, type TransactionSQL } from 'bun'
import { systemTimers, type Timers } from '../../../storage/retry/timers.ts'
import { withRetry } from '../../../storage/retry/with-retry.ts'
import type { AccountsDatabase, Survives } from './accounts-database.ts'
import { ANSWER_MS_MAX, asUnavailable } from './accounts-unavailable.ts'
import { guardedSql } from './guarded-sql.ts'
import { makeMigrationsTable } from './migrations.ts'

const NOT_WRITABLE = /^(?:SQLITE_(?:READONLY|CANTOPEN|PERM)|EROFS$|EACCES$|EPERM$)/
const RETRY_MS = 5
/** Number of attempts to open the write-ahead log; together they take some seconds. */
const OPEN_TRIES = 1_000

/** The clock and the timers for waiting. Replaced in tests. */
export type Waiting = { elapsedMs: () => number; timers: Timers }
const WAITING: Waiting = { elapsedMs: () => performance.now(), timers: systemTimers }

export async function openSqlite(path: string, { elapsedMs, timers } = WAITING): Promise<AccountsDatabase> {
  const [read, writer] = await opened(path)
  let survives: Survives = 'power-cut'
  let last: Promise<unknown> = Promise.resolve()

  /** Runs a query. Retries while another process holds a lock, until the time limit, which begins at `requestedMs`. */
  async function whenFree<T>(requestedMs: number, query: () => Promise<T>): Promise<T> {
    const leftMs = () => requestedMs + ANSWER_MS_MAX - elapsedMs()
    try {
      return await withRetry(query, { isPassing: isBusy, waitMs: () => RETRY_MS, leftMs, timers })
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  /** Runs a transaction that takes the write lock first. So a transaction that fails because the file is busy has done
   *  nothing yet. */
  async function transaction<T>(run: (sql: TransactionSQL) => Promise<T>, wanted: Survives): Promise<T> {
    if (wanted !== survives) {
      await writer.unsafe(`PRAGMA synchronous = ${wanted === 'power-cut' ? 'FULL' : 'NORMAL'}`)
      survives = wanted
    }
    return writer.begin('immediate', run)
  }

  return {
    read: guardedSql(
      (query) => whenFree(elapsedMs(), () => query(read)),
      () => read,
    ),
    write(run, wanted = 'power-cut') {
      const requestedMs = elapsedMs()
      const result = last.then(() => whenFree(requestedMs, () => transaction(run, wanted)))
      last = result.catch(() => undefined)
      return result
    },
    // In SQLite a writer is always alone.
    alone: async () => undefined,
    prepare: makeMigrationsTable,
    async close() {
      await last
      await Promise.all([read.close(), writer.close()])
    },
  }
}

const isBusy = (error: unknown): boolean => error instanceof SQL.SQLiteError && error.code.startsWith('SQLITE_BUSY')

/** Creates a missing file with mode 0600; SQLite gives its log files the same mode. An existing file keeps its mode. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}

/** Opens the connections for reading and for writing. Throws an Error that names the file, for a command to print. */
async function opened(path: string): Promise<[read: SQL, writer: SQL]> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    makePrivate(path)
    return [await connect(path), await connect(path)]
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    if (!/^(?:SQLITE_|E[A-Z]+$)/.test(code)) throw error
    const why = NOT_WRITABLE.test(code) ? 'this user may not write it, or it is on a read-only file system' : message
    throw new Error(`Cannot open the accounts in ${path}: ${why}`, { cause: error })
  }
}

async function connect(path: string): Promise<SQL> {
  const sql = new SQL({ adapter: 'sqlite', filename: path })
  await sql.unsafe('PRAGMA busy_timeout = 5000')
  // If another process creates the log at the same moment, SQLite refuses at once instead of waiting.
  const makeLog = async () => sql.unsafe('PRAGMA journal_mode = WAL')
  await withRetry(makeLog, { attempts: OPEN_TRIES, isPassing: isBusy, waitMs: () => RETRY_MS })
  await sql.unsafe('PRAGMA foreign_keys = ON')
  // Opens the log now: SQLite would open it with the first query.
  await sql.unsafe('SELECT count(*) FROM sqlite_schema')
  await sql.unsafe('PRAGMA busy_timeout = 0')
  return sql
}

// The accounts in a SQLite file.
//
// A connection runs its statements in order: whatever runs while a transaction awaits becomes part of it, and is lost
// with it. So reads have a connection of their own, and transactions wait for one another. Another process may hold a
// lock: SQLite would wait for it in this thread, and with it every request, so what is busy is tried again from here.

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { SQL, type TransactionSQL } from 'bun'
import { finishReplacement } from '../../../storage/data-folder/replacement.ts'
import { systemTimers, type Timers } from '../../../storage/retry/timers.ts'
import { withRetry } from '../../../storage/retry/with-retry.ts'
import type { AccountsDatabase, Survives } from './accounts-database.ts'
import { ANSWER_MS_MAX, asUnavailable } from './accounts-unavailable.ts'
import { guardedSql } from './guarded-sql.ts'
import { makeMigrationsTable } from './migrations.ts'

const NOT_TO_BE_WRITTEN = /^(?:SQLITE_(?:READONLY|CANTOPEN|PERM)|EROFS$|EACCES$|EPERM$)/
const RETRY_MS = 5
/** To open the log, for some seconds. */
const OPEN_TRIES = 1_000

/** For tests. */
export type Waiting = { elapsedMs: () => number; timers: Timers }
const WAITING: Waiting = { elapsedMs: () => performance.now(), timers: systemTimers }

export async function openSqlite(path: string, { elapsedMs, timers } = WAITING): Promise<AccountsDatabase> {
  const [read, writer] = await opened(path)
  let survives: Survives = 'power-cut'
  let last: Promise<unknown> = Promise.resolve()

  /** Tries again while another process holds a lock, up to so long after the question was asked. */
  async function whenFree<T>(askedMs: number, ask: () => Promise<T>): Promise<T> {
    const leftMs = () => askedMs + ANSWER_MS_MAX - elapsedMs()
    try {
      return await withRetry(ask, { isPassing: isBusy, waitMs: () => RETRY_MS, leftMs, timers })
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  /** Begins with the write lock, so it fails as busy before it did anything, or not at all. */
  async function transaction<T>(run: (sql: TransactionSQL) => Promise<T>, wanted: Survives): Promise<T> {
    if (wanted !== survives) {
      await writer.unsafe(`PRAGMA synchronous = ${wanted === 'power-cut' ? 'FULL' : 'NORMAL'}`)
      survives = wanted
    }
    return writer.begin('immediate', run)
  }

  return {
    read: guardedSql(
      (ask) => whenFree(elapsedMs(), () => ask(read)),
      () => read,
    ),
    write(run, wanted = 'power-cut') {
      const askedMs = elapsedMs()
      const result = last.then(() => whenFree(askedMs, () => transaction(run, wanted)))
      last = result.catch(() => undefined)
      return result
    },
    // A writer is always alone.
    alone: async () => undefined,
    prepare: makeMigrationsTable,
    async close() {
      await last
      await Promise.all([read.close(), writer.close()])
    },
  }
}

const isBusy = (error: unknown): boolean => error instanceof SQL.SQLiteError && error.code.startsWith('SQLITE_BUSY')

/** Creates a missing file with mode 0600; SQLite gives the files beside it the same mode. An existing file keeps its
 *  own. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}

/** Throws an Error that names the file, for a command to print. */
async function opened(path: string): Promise<[read: SQL, writer: SQL]> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    finishReplacement(dirname(path))
    makePrivate(path)
    return [await connect(path), await connect(path)]
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    if (!/^(?:SQLITE_|E[A-Z]+$)/.test(code)) throw error
    const why = NOT_TO_BE_WRITTEN.test(code)
      ? 'this user may not write it, or it is on a read-only file system'
      : message
    throw new Error(`Cannot open the accounts in ${path}: ${why}`, { cause: error })
  }
}

async function connect(path: string): Promise<SQL> {
  const sql = new SQL({ adapter: 'sqlite', filename: path })
  await sql.unsafe('PRAGMA busy_timeout = 5000')
  // Where another process makes the log at the same moment, SQLite refuses at once instead of waiting.
  const makeLog = async () => sql.unsafe('PRAGMA journal_mode = WAL')
  await withRetry(makeLog, { attempts: OPEN_TRIES, isPassing: isBusy, waitMs: () => RETRY_MS })
  await sql.unsafe('PRAGMA foreign_keys = ON')
  // Opens the log now: SQLite would open it with the first question.
  await sql.unsafe('SELECT count(*) FROM sqlite_schema')
  await sql.unsafe('PRAGMA busy_timeout = 0')
  return sql
}

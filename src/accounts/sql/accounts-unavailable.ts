// The failure of a database that does not answer, as opposed to a bug in a statement.

import { SQL } from 'bun'
import { inTime } from '../../../storage/retry/timers.ts'

/** The details are in its cause, for the log. */
export class AccountsUnavailable extends Error {
  override readonly name = 'AccountsUnavailable'

  constructor(cause: unknown) {
    super('The accounts cannot be read or written now', { cause })
  }
}

/** A question that takes longer fails: its client gets a 503 within four seconds. */
export const ANSWER_MS_MAX = 3_500

/** Rejects with AccountsUnavailable where the work takes longer. The work goes on. */
export function within<T>(ms: number, work: Promise<T>, tooLate: () => void = () => undefined): Promise<T> {
  const late = () => {
    tooLate()
    return new AccountsUnavailable(new Error(`no answer within ${ms} ms`))
  }
  return inTime(() => work, ms, late)
}

/** SQLite: the file is locked, full, missing, damaged, unreadable or read-only. https://www.sqlite.org/rescode.html */
const SQLITE_AWAY = /^SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|IOERR|CANTOPEN|PERM|READONLY|CORRUPT|NOTADB|NOMEM)/
/** Bun's codes for a lost connection. */
const CONNECTION_LOST = /CONNECTION|^ECONN|^ETIMEDOUT$|^EPIPE$/
/** PostgreSQL: connection lost, too many of them, shutting down or starting, no disk or memory.
 *  https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES_AWAY = /^(08|53|57P0|58)/

/** AccountsUnavailable for a database that does not answer; any other error unchanged. */
export function asUnavailable(error: unknown): unknown {
  return isAway(error) ? new AccountsUnavailable(error) : error
}

function isAway(error: unknown): boolean {
  if (error instanceof SQL.SQLiteError) return SQLITE_AWAY.test(error.code)
  if (!(error instanceof SQL.PostgresError)) return false
  return CONNECTION_LOST.test(error.code) || POSTGRES_AWAY.test(String(error.errno))
}

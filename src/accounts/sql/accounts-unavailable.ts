// The failure of a database that does not answer, as opposed to a bug in a statement.

import { SQL } from 'bun'
import { inTime } from '../../../storage/retry/timers.ts'

/** The error for a database that does not answer. Its cause has the details, for the log. */
export class AccountsUnavailable extends Error {
  override readonly name = 'AccountsUnavailable'

  constructor(cause: unknown) {
    super('The accounts cannot be read or written now', { cause })
  }
}

/** Time limit of a query, so that its client gets a 503 within four seconds. */
export const ANSWER_MS_MAX = 3_500

/** Rejects with AccountsUnavailable if the work takes longer. The work itself continues. */
export function within<T>(ms: number, work: Promise<T>, onTimeout: () => void = () => undefined): Promise<T> {
  const late = () => {
    onTimeout()
    return new AccountsUnavailable(new Error(`no answer within ${ms} ms`))
  }
  return inTime(() => work, ms, late)
}

/** SQLite: the file is locked, full, missing, damaged, unreadable or read-only. https://www.sqlite.org/rescode.html */
const SQLITE_UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|IOERR|CANTOPEN|PERM|READONLY|CORRUPT|NOTADB|NOMEM)/
/** Bun's codes for a lost connection. */
const CONNECTION_LOST = /CONNECTION|^ECONN|^ETIMEDOUT$|^EPIPE$/
/** PostgreSQL: connection lost, too many connections, shutting down or starting, no disk space or memory.
 *  https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES_UNAVAILABLE = /^(08|53|57P0|58)/

/** Returns AccountsUnavailable for a database that does not answer; any other error unchanged. */
export function asUnavailable(error: unknown): unknown {
  return isUnavailable(error) ? new AccountsUnavailable(error) : error
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof SQL.SQLiteError) return SQLITE_UNAVAILABLE.test(error.code)
  if (!(error instanceof SQL.PostgresError)) return false
  return CONNECTION_LOST.test(error.code) || POSTGRES_UNAVAILABLE.test(String(error.errno))
}

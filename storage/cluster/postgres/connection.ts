// Connections to PostgreSQL. A connection may die silently (a failover, a firewall that drops it), and a query on it
// would wait for ever. So every query has a time limit, and the first query that exceeds it replaces all connections.

import { SQL, type TransactionSQL } from 'bun'
import { DataError } from '../../failures.ts'
import { connectSeconds } from '../../retry/connect-limit.ts'
import { inTime } from '../../retry/timers.ts'
import { backoff, withRetry } from '../../retry/with-retry.ts'
import type { CatalogueSettings } from '../settings/cluster-settings.ts'

const CONNECTIONS_MAX = 6
const CLOSE_SECONDS_MAX = 3
const LIFETIME_SECONDS_MAX = 600
const ATTEMPTS = 5
const BACKOFF = backoff({ firstMs: 30 })
/** How many times, and how far apart, PostgreSQL is asked whether a transaction took effect. */
const OUTCOME_ATTEMPTS = 20
const OUTCOME_WAIT_MS = 250
/** SQLSTATEs of a serialization failure and of a deadlock. */
const CONFLICTS = new Set(['40001', '40P01'])
/** SQLSTATEs of failures that pass: the server stops, starts, is a standby, or has no room for another connection. */
const PASSING = /^(?:08|57P0|53300|25006|25P03)/
/** SQLSTATEs for an unknown user, a wrong password or an unknown database. */
const UNKNOWN_LOGIN = /^(?:28|3D000)/
const NO_PERMISSION = '42501'
/** Errors of a certificate whose authority is not trusted here. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/
const OTHER_HOST = 'ERR_TLS_CERT_ALTNAME_INVALID'

export type Queryable = SQL | TransactionSQL
/** A channel to listen on. `onListen` is called whenever PostgreSQL starts to notify. */
export type Channel = { channel: string; onPayload: (payload: string) => void; onListen?: () => void }

export class Postgres {
  readonly #settings: CatalogueSettings
  #pool: SQL

  constructor(settings: CatalogueSettings) {
    this.#settings = settings
    this.#pool = openPool(settings)
  }

  get schema(): string {
    return this.#settings.schema
  }

  /** Runs a query. Rejects with DataError('store_unavailable') if PostgreSQL does not answer in time. */
  async ask<T>(ask: (sql: Queryable) => Promise<T>, timeoutMs = this.#settings.timeoutMs): Promise<T> {
    const pool = this.#pool
    try {
      return await this.#within(ask(pool), pool, timeoutMs)
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  /** Runs queries that only read, on the rows as of one moment. */
  async snapshot<T>(run: (sql: TransactionSQL) => Promise<T>, timeoutMs: number): Promise<T> {
    const pool = this.#pool
    try {
      return await this.#within(pool.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', run), pool, timeoutMs)
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  /** Runs a transaction, and starts it again after a conflict with another transaction. If the connection breaks during
   *  the commit, finds out whether the transaction took effect. */
  async write<T>(run: (sql: TransactionSQL) => Promise<T>): Promise<T> {
    const once = async () => {
      const pool = this.#pool
      let number: string | undefined
      let answer: T
      const named = async (sql: TransactionSQL) => {
        const [row] = await sql`SELECT pg_current_xact_id()::text AS number`
        number = row.number
      }
      const begun = pool.begin(async (sql) => {
        ;[answer] = await Promise.all([run(sql), named(sql)])
      })
      try {
        await this.#within(begun, pool, this.#settings.timeoutMs)
      } catch (error) {
        const failure = asUnavailable(error)
        if (number === undefined || !(await this.#tookEffect(number, failure))) throw error
      }
      return answer!
    }
    try {
      return await withRetry(once, { attempts: ATTEMPTS, isPassing: isConflict, waitMs: BACKOFF })
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  /** Listens on a connection of its own, and connects again if the connection breaks. Calls `onListen` each time that
   *  listening starts. Resolves when it has started. The result is a function that stops it. */
  async listen(channels: readonly Channel[]): Promise<() => Promise<void>> {
    const sql = openPool(this.#settings)
    const subscribe = async () => {
      for (const { channel, onPayload, onListen } of channels) await sql.listen(channel, onPayload, onListen)
    }
    try {
      const { timeoutMs } = this.#settings
      await inTime(subscribe, timeoutMs, () => late(timeoutMs))
    } catch (error) {
      void sql.close({ timeout: 0 }).catch(() => undefined)
      throw asUnavailable(error)
    }
    return () => sql.close({ timeout: 0 })
  }

  close(): Promise<void> {
    return this.#pool.close({ timeout: CLOSE_SECONDS_MAX })
  }

  /** Finds out whether the transaction with this number took effect, after an error of its connection. Resolves to
   *  false for any other error. Rejects with DataError('store_unavailable') if PostgreSQL stays unreachable. */
  async #tookEffect(number: string, failure: unknown): Promise<boolean> {
    if (!(failure instanceof DataError)) return false
    const status = async () => {
      const [row] = await this.ask((sql) => sql`SELECT pg_xact_status(${number}::text::xid8) AS status`)
      if (row.status === 'in progress') throw failure
      return row.status === 'committed'
    }
    const isPassing = (again: unknown) => again instanceof DataError
    return withRetry(status, { attempts: OUTCOME_ATTEMPTS, isPassing, waitMs: () => OUTCOME_WAIT_MS }).catch(() => {
      throw new DataError(
        'store_unavailable',
        `${failure.message}. The commit may have taken effect: what is loaded again is not stored twice`,
      )
    })
  }

  #within<T>(answer: Promise<T>, pool: SQL, timeoutMs: number): Promise<T> {
    return inTime(
      () => answer,
      timeoutMs,
      () => {
        if (this.#pool === pool) {
          this.#pool = openPool(this.#settings)
          void pool.close({ timeout: 0 }).catch(() => undefined)
        }
        return late(timeoutMs)
      },
    )
  }
}

const late = (timeoutMs: number) =>
  new DataError('store_unavailable', `The catalogue did not answer within ${timeoutMs} ms`)

/** Opens connections. PostgreSQL ends a session that is idle within a transaction for `timeoutMs`, so such a session
 *  holds its locks no longer than other queries wait for them. */
const openPool = ({ url, schema, timeoutMs }: CatalogueSettings): SQL =>
  new SQL(url, {
    max: CONNECTIONS_MAX,
    connectionTimeout: connectSeconds(timeoutMs),
    maxLifetime: LIFETIME_SECONDS_MAX,
    connection: { search_path: schema, idle_in_transaction_session_timeout: timeoutMs },
  } as SQL.Options)

/** Returns the SQLSTATE; '' if the error does not come from PostgreSQL. */
export const codeOf = (error: unknown): string => String((error as { errno?: unknown }).errno ?? '')

const isConflict = (error: unknown): boolean => CONFLICTS.has(codeOf(error))

const NOT_ALLOWED = 'The user of CATALOGUE_URL may not do this'
const RIGHTS =
  'to read, it needs USAGE of the schema and SELECT; to write, also INSERT, UPDATE and DELETE ' +
  '(deploy/cluster/roles.sql)'

const UNTRUSTED_TEXT =
  'its certificate is of an authority that is not trusted here; NODE_EXTRA_CA_CERTS can name a file with more'

const refused = (message: string): DataError => new DataError('store_unavailable', message)

/** Turns an error into DataError('store_unavailable') if a connection breaks, cannot be made, or lacks a permission.
 *  Any other refusal of PostgreSQL is a bug, and is returned unchanged. */
function asUnavailable(error: unknown): unknown {
  if (error instanceof DataError || !(error instanceof Error)) return error
  const { code = '' } = error as { code?: string }
  const isServer = code === 'ERR_POSTGRES_SERVER_ERROR'
  const state = codeOf(error)
  if (isServer && UNKNOWN_LOGIN.test(state)) return refused(`The catalogue refuses CATALOGUE_URL: ${error.message}`)
  if (isServer && state === NO_PERMISSION) return refused(`${NOT_ALLOWED}: ${error.message}; ${RIGHTS}`)
  if (isServer && !PASSING.test(state)) return error
  if (UNTRUSTED.test(code)) return refused(`The catalogue does not answer: ${UNTRUSTED_TEXT}`)
  if (code === OTHER_HOST) return refused('The catalogue does not answer: its certificate is of another host')
  if (!isServer && !code.startsWith('ERR_POSTGRES') && !/^E[A-Z]+$/.test(code)) return error
  return new DataError('store_unavailable', `The catalogue does not answer: ${error.message}`)
}

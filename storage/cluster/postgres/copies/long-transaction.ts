// A transaction that reads or writes all rows, however long that takes. It has a connection of its own. A question has
// a time limit everywhere else; here a connection is given up when nothing has moved on it for a while.

import { SQL, type TransactionSQL } from 'bun'
import { DataError } from '../../../failures.ts'
import { asUnavailable } from '../connection.ts'

const CONNECT_SECONDS_MAX = 3
const SILENCE_MS_MAX = 300_000
const LOOK_MS = 1_000

export type Database = {
  url: string
  /** Where its tables lie; null for the schema that the database's user has by default. */
  schema: string | null
}

/** `snapshot`: what `run` reads is of one moment, and it can change nothing. */
export type Mode = 'snapshot' | 'write'

const BEGIN: Record<Mode, string> = { snapshot: 'isolation level repeatable read read only', write: 'read write' }

/** Values as texts are the same everywhere, whatever the server's settings are. */
const PLAIN_TEXT = "SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 1"

/** `run` calls `moved` whenever it gets on. Rejects with DataError('store_unavailable') where PostgreSQL does not
 *  answer; a write has then changed nothing, or all, where the connection broke at its end. */
export async function inLongTransaction<T>(
  { url, schema }: Database,
  mode: Mode,
  run: (sql: TransactionSQL, moved: () => void) => Promise<T>,
): Promise<T> {
  const sql = new SQL(url, {
    max: 1,
    connectionTimeout: CONNECT_SECONDS_MAX,
    prepare: false,
    ...(schema === null ? {} : { connection: { search_path: schema } }),
  })
  let movedMs = performance.now()
  const moved = () => {
    movedMs = performance.now()
  }
  const silent = Promise.withResolvers<never>()
  const watch = setInterval(() => {
    if (performance.now() - movedMs < SILENCE_MS_MAX) return
    silent.reject(new DataError('store_unavailable', `The database did not go on for ${SILENCE_MS_MAX / 1_000} s`))
  }, LOOK_MS)
  silent.promise.catch(() => undefined)
  try {
    const work = sql.begin(BEGIN[mode], async (transaction) => {
      await transaction.unsafe(PLAIN_TEXT)
      return run(transaction, moved)
    }) as Promise<T>
    work.catch(() => undefined)
    return await Promise.race([work, silent.promise])
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    clearInterval(watch)
    await sql.close({ timeout: 0 }).catch(() => undefined)
  }
}

// Whether a commit took effect whose connection broke before PostgreSQL's answer came.

import { DataError } from '../../failures.ts'
import { withRetry } from '../../retry/with-retry.ts'
import type { Postgres } from './connection.ts'

const ATTEMPTS = 20
const WAIT_MS = 250

/** `key` is of the segment that the commit names. Resolves to false for a failure that is none of the connection. After
 *  that the commit cannot take effect any more: its key is taken, which waits for a transaction that is still running.
 *  Rejects with DataError('store_unavailable') where PostgreSQL stays away. */
export async function tookEffect(postgres: Postgres, key: string, error: unknown): Promise<boolean> {
  if (!(error instanceof DataError && error.code === 'store_unavailable')) return false
  const ask = () =>
    postgres.write(async (sql) => {
      await sql`
        INSERT INTO segments (key, bytes, row_count, unnamed_at, is_marked)
        VALUES (${key}, NULL, 0, clock_timestamp(), true) ON CONFLICT (key) DO NOTHING`
      // The row may be of a try of this whose answer was lost, or of a sweep.
      const [row] = await sql`SELECT bytes IS NOT NULL AS is_named FROM segments WHERE key = ${key}`
      return Boolean(row.is_named)
    })
  const isPassing = (again: unknown) => again instanceof DataError
  return withRetry(ask, { attempts: ATTEMPTS, isPassing, waitMs: () => WAIT_MS }).catch(() => {
    throw new DataError(
      'store_unavailable',
      `${error.message}. The commit may have taken effect: what is loaded again is not stored twice`,
    )
  })
}

// Finds out whether a commit took effect if the connection broke before PostgreSQL's answer came.

import { DataError } from '../../failures.ts'
import { withRetry } from '../../retry/with-retry.ts'
import type { Postgres } from './connection.ts'

const ATTEMPTS = 20
const WAIT_MS = 250

/** Resolves to whether the commit with the segment `key` took effect; to false for an error that is not one of the
 *  connection. After that the commit can no longer take effect: this inserts its key, which waits for a transaction
 *  that still runs. Rejects with DataError('store_unavailable') if PostgreSQL stays away. */
export async function tookEffect(postgres: Postgres, key: string, error: unknown): Promise<boolean> {
  if (!(error instanceof DataError && error.code === 'store_unavailable')) return false
  const ask = () =>
    postgres.write(async (sql) => {
      await sql`
        INSERT INTO segments (key, bytes, row_count, unnamed_at, is_marked)
        VALUES (${key}, NULL, 0, clock_timestamp(), true) ON CONFLICT (key) DO NOTHING`
      // The row may come from an earlier try of this query whose answer was lost, or from a sweep.
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

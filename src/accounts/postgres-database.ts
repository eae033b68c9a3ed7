// The accounts in PostgreSQL, shared by any number of server processes.

import { SQL, type TransactionSQL } from 'bun'
import type { AccountsDatabase } from './accounts-database.ts'

const CONNECTIONS_MAX = 8
const CONNECT_SECONDS_MAX = 5
/** Any number, the same in every process; it is the name of the lock. */
const LOCK = 0x62_61_63_6b

export function openPostgres(url: string): AccountsDatabase {
  const sql = new SQL(url, { max: CONNECTIONS_MAX, connectionTimeout: CONNECT_SECONDS_MAX })
  return {
    read: sql,
    write: (run, survives = 'power-cut') =>
      sql.begin(async (transaction: TransactionSQL) => {
        if (survives === 'process-end') await transaction`SET LOCAL synchronous_commit = off`
        return run(transaction)
      }),
    alone: async (transaction) => void (await transaction`SELECT pg_advisory_xact_lock(${LOCK})`),
    close: () => sql.close(),
  }
}

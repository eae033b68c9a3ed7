// The accounts in PostgreSQL, shared by any number of server processes.
//
// A connection may die silently (a failover, a firewall that drops its state), and a query on it would wait forever. So
// every query has a time limit, and the first that exceeds it replaces all connections.

import { SQL, type TransactionSQL } from 'bun'
import { connectSeconds } from '../../../storage/retry/connect-limit.ts'
import type { AccountsDatabase } from './accounts-database.ts'
import { inSchemaOfAccounts } from './accounts-schema.ts'
import { ANSWER_MS_MAX, asUnavailable, within } from './accounts-unavailable.ts'
import { guardedSql } from './guarded-sql.ts'
import { makeMigrationsTable } from './migrations.ts'

const CONNECTIONS_MAX = 8
const CLOSE_SECONDS_MAX = 3
const LIFETIME_SECONDS_MAX = 600
/** Number of the advisory lock, the same in every process. */
const LOCK = 0x62_61_63_6b

export function openPostgres(url: string, answerMsMax: number = ANSWER_MS_MAX): AccountsDatabase {
  let pool = openPool(url, answerMsMax)

  async function limited<T>(query: (sql: SQL) => Promise<T>): Promise<T> {
    const usedPool = pool
    const replacePool = () => {
      if (pool !== usedPool) return
      pool = openPool(url, answerMsMax)
      void usedPool.close({ timeout: 0 }).catch(() => undefined)
    }
    try {
      return await within(answerMsMax, query(usedPool), replacePool)
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  return {
    read: guardedSql(limited, () => pool),
    write: (run, survives = 'power-cut') =>
      limited((sql) =>
        sql.begin(async (transaction: TransactionSQL) => {
          if (survives === 'process-end') await transaction`SET LOCAL synchronous_commit = off`
          return run(transaction)
        }),
      ),
    alone: async (transaction) => void (await transaction`SELECT pg_advisory_xact_lock(${LOCK})`),
    prepare: async (transaction) => {
      // Skip the statement if the tables exist: PostgreSQL would refuse it to a user that may not create tables.
      if (!(await inSchemaOfAccounts(transaction))) await makeMigrationsTable(transaction)
    },
    close: () => pool.close({ timeout: CLOSE_SECONDS_MAX }),
  }
}

const openPool = (url: string, answerMsMax: number) =>
  new SQL(url, {
    max: CONNECTIONS_MAX,
    connectionTimeout: connectSeconds(answerMsMax),
    maxLifetime: LIFETIME_SECONDS_MAX,
    // Do not prepare statements: the text of a statement depends on its number of rows, and every connection would
    // cache each text.
    prepare: false,
  })

// The accounts in PostgreSQL, shared by any number of server processes.
//
// A connection may die silently (a failover, a firewall that forgets it), and a question on it would wait for ever. So
// every question has a time limit, and the first that exceeds it replaces all connections.

import { SQL, type TransactionSQL } from 'bun'
import type { AccountsDatabase } from './accounts-database.ts'
import { inSchemaOfAccounts } from './accounts-schema.ts'
import { ANSWER_MS_MAX, asUnavailable, within } from './accounts-unavailable.ts'
import { guardedSql } from './guarded-sql.ts'
import { makeMigrationsTable } from './migrations.ts'

const CONNECTIONS_MAX = 8
const CONNECT_SECONDS_MAX = 3
const LIFETIME_SECONDS_MAX = 600
/** The number of the lock, the same in every process. */
const LOCK = 0x62_61_63_6b

export function openPostgres(url: string, answerMsMax: number = ANSWER_MS_MAX): AccountsDatabase {
  let pool = openPool(url)

  async function limited<T>(ask: (sql: SQL) => Promise<T>): Promise<T> {
    const asked = pool
    const replacePool = () => {
      if (pool !== asked) return
      pool = openPool(url)
      void asked.close({ timeout: 0 }).catch(() => undefined)
    }
    try {
      return await within(answerMsMax, ask(asked), replacePool)
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
      // Who may not make tables need not: the statement would be refused also where they are there.
      if (!(await inSchemaOfAccounts(transaction))) await makeMigrationsTable(transaction)
    },
    close: () => pool.close({ timeout: CONNECT_SECONDS_MAX }),
  }
}

const openPool = (url: string) =>
  new SQL(url, {
    max: CONNECTIONS_MAX,
    connectionTimeout: CONNECT_SECONDS_MAX,
    maxLifetime: LIFETIME_SECONDS_MAX,
    // Each number of rows makes another statement: every connection would keep all of them prepared.
    prepare: false,
  })

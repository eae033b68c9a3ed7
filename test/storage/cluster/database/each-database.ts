// Runs a suite on the double of a cluster's database, and on PostgreSQL where there is one.

import { describe } from 'bun:test'
import { openPostgresDatabase } from '../../../../storage/cluster/postgres/postgres-database.ts'
import { makeEmptyPostgres } from '../../../support/accounts.ts'
import { MemoryDatabase } from '../../../support/cluster/memory-database.ts'
import type { Rows } from './made-rows.ts'

export type OpenRows = () => Promise<{ rows: Rows } & AsyncDisposable>

const POSTGRES = process.env['POSTGRES_TEST_URL']

export const openMemoryRows: OpenRows = async () => {
  const rows = new MemoryDatabase()
  return { rows, [Symbol.asyncDispose]: () => rows.close() }
}

/** Undefined where there is none. */
export const openPostgresRows: OpenRows | undefined = POSTGRES === undefined ? undefined : openNew

async function openNew() {
  const empty = (await makeEmptyPostgres())!
  const settings = { url: empty.url, schema: 'backbook', timeoutMs: 10_000 }
  const rows = await openPostgresDatabase(settings, { mayWrite: true })
  return {
    rows,
    async [Symbol.asyncDispose]() {
      await rows.close()
      await empty[Symbol.asyncDispose]()
    },
  }
}

export function onEachDatabase(suite: (open: OpenRows) => void): void {
  describe('in memory', () => suite(openMemoryRows))
  if (openPostgresRows !== undefined) describe('in PostgreSQL', () => suite(openPostgresRows!))
  else
    describe.skip('in PostgreSQL: skipped, POSTGRES_TEST_URL is not set, see .ci/with-postgres', () =>
      suite(openMemoryRows))
}

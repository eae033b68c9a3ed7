// Runs a suite on each engine of rows.

import { describe, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { openPostgresRows } from '../../../storage/cluster/postgres/postgres-rows.ts'
import { openEnvironment } from '../../../storage/lmdb/environment.ts'
import { LmdbRows } from '../../../storage/lmdb/lmdb-rows.ts'
import type { Rows } from '../../../storage/rows/rows.ts'
import { MemoryRows } from '../../support/rows/memory-rows.ts'

export type Engine = { name: string; open: () => Promise<{ rows: Rows } & AsyncDisposable> }

const ENGINES: Engine[] = [
  { name: 'memory', open: openMemory },
  { name: 'LMDB', open: openLmdb },
]

const POSTGRES = process.env['POSTGRES_TEST_URL']

export function onEachEngine(suite: (engine: Engine) => void): void {
  for (const engine of ENGINES) describe(engine.name, () => suite(engine))
  if (POSTGRES === undefined) test.skip('PostgreSQL: POSTGRES_TEST_URL is not set, see .ci/with-postgres', () => {})
  else describe('PostgreSQL', () => suite({ name: 'PostgreSQL', open: () => openPostgres(POSTGRES) }))
}

async function openPostgres(url: string) {
  const schema = `rows_${crypto.randomUUID().replaceAll('-', '')}`
  const rows = await openPostgresRows({ url, schema, timeoutMs: 20_000 }, { mayWrite: true })
  return {
    rows,
    async [Symbol.asyncDispose]() {
      await rows.close()
      await using sql = new SQL(url, { max: 1 })
      await sql`DROP SCHEMA ${sql(schema)} CASCADE`
    },
  }
}

async function openMemory() {
  return { rows: new MemoryRows(), [Symbol.asyncDispose]: async () => undefined }
}

async function openLmdb() {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-rows-'))
  const { databases, close } = openEnvironment(folder)
  return {
    rows: new LmdbRows(databases, folder),
    async [Symbol.asyncDispose]() {
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}

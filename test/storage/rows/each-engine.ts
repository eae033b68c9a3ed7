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

/** Where another process opens the rows. */
export type RowsPlace = { folder: string } | { url: string; schema: string }
type Opened = { rows: Rows; close(): Promise<void> }
/** An engine of rows. `place` is null if the rows are in the memory of this process. */
export type Engine = { name: string; open: () => Promise<{ rows: Rows; place: RowsPlace | null } & AsyncDisposable> }

const POSTGRES = process.env['POSTGRES_TEST_URL']

export function onEachEngine(suite: (engine: Engine) => void): void {
  describe('memory', () => suite({ name: 'memory', open: openMemory }))
  onEachStoredEngine(suite)
}

/** Runs a suite on each engine that several processes can open. */
export function onEachStoredEngine(suite: (engine: Engine) => void): void {
  describe('LMDB', () => suite({ name: 'LMDB', open: openLmdb }))
  if (POSTGRES === undefined) test.skip('PostgreSQL: POSTGRES_TEST_URL is not set, see .ci/with-postgres', () => {})
  else describe('PostgreSQL', () => suite({ name: 'PostgreSQL', open: () => openPostgres(POSTGRES) }))
}

export async function openAt(place: RowsPlace): Promise<Opened> {
  if ('folder' in place) {
    const { databases, close } = openEnvironment(place.folder)
    return { rows: new LmdbRows(databases, place.folder), close }
  }
  const rows = await openPostgresRows({ ...place, timeoutMs: 20_000 }, { mayWrite: true })
  return { rows, close: () => rows.close() }
}

async function openPostgres(url: string) {
  const place = { url, schema: `rows_${crypto.randomUUID().replaceAll('-', '')}` }
  const { rows, close } = await openAt(place)
  return {
    ...{ rows, place },
    async [Symbol.asyncDispose]() {
      await close()
      await using sql = new SQL(url, { max: 1 })
      await sql`DROP SCHEMA ${sql(place.schema)} CASCADE`
    },
  }
}

async function openMemory() {
  return { rows: new MemoryRows(), place: null, [Symbol.asyncDispose]: async () => undefined }
}

async function openLmdb() {
  const place = { folder: mkdtempSync(join(tmpdir(), 'backbook-rows-')) }
  const { rows, close } = await openAt(place)
  return {
    ...{ rows, place },
    async [Symbol.asyncDispose]() {
      await close()
      rmSync(place.folder, { recursive: true })
    },
  }
}

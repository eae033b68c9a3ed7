// Runs a suite on each engine of rows.

import { describe } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEnvironment } from '../../../storage/lmdb/environment.ts'
import { LmdbRows } from '../../../storage/lmdb/lmdb-rows.ts'
import type { Rows } from '../../../storage/rows/rows.ts'
import { MemoryRows } from '../../support/rows/memory-rows.ts'

export type Engine = { name: string; open: () => Promise<{ rows: Rows } & AsyncDisposable> }

const ENGINES: Engine[] = [
  { name: 'memory', open: openMemory },
  { name: 'LMDB', open: openLmdb },
]

export function onEachEngine(suite: (engine: Engine) => void): void {
  for (const engine of ENGINES) describe(engine.name, () => suite(engine))
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

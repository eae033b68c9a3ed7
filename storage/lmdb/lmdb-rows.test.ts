// A commit that fails because of LMDB's list of free pages is repeated; any other failure is reported.

import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyOf } from '../rows/keys.ts'
import { openEnvironment } from './environment.ts'
import { LmdbRows } from './lmdb-rows.ts'

const BAD_TXN = 'MDB_BAD_TXN: Transaction must abort, has a child, or is invalid: reserved freelist had a data entry'
const KEY = keyOf('z', 'tried')

/** Calls `run` with rows whose first commits fail with these messages. */
async function withFailures(messages: string[], run: (rows: LmdbRows) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-rows-'))
  const { databases, close } = openEnvironment(folder)
  const transactionSync = databases.root.transactionSync.bind(databases.root)
  databases.root.transactionSync = (work) => {
    const message = messages.shift()
    if (message !== undefined) throw new Error(message)
    return transactionSync(work)
  }
  try {
    await run(new LmdbRows(databases, folder))
  } finally {
    await close()
    rmSync(folder, { recursive: true })
  }
}

const commit = (rows: LmdbRows) =>
  rows.commit({ expect: [], put: [{ key: KEY, value: new Uint8Array(8) }], remove: [] })

test('a failure of the list of free pages is tried again', () =>
  withFailures([BAD_TXN, BAD_TXN], async (rows) => {
    expect(await commit(rows)).toEqual([])
    rows.refresh()
    expect(rows.read(KEY)).toEqual(Buffer.alloc(8))
  }))

test('a failure that persists is reported, and any other failure is reported at once', () =>
  withFailures([...Array.from({ length: 5 }, () => BAD_TXN), 'MDB_CORRUPTED'], async (rows) => {
    const failure = await commit(rows).catch((error) => error)
    expect(failure).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('reserved freelist') })
    expect(await commit(rows).catch((error) => error.message)).toBe('MDB_CORRUPTED')
    expect(await commit(rows)).toEqual([])
  }))

// Rewrites a store's file without its free pages, and puts it in the place of the old one.
//
// This needs exclusive use of the store: a process that has the old file open would continue to write to it. The copy
// is made from a snapshot while other processes may still open the store. Whether the copy replaces the file is
// decided under LMDB's writer lock, so nothing is written meanwhile. Before the rename the old file is the store,
// after it the new one.
//
// The lock file stays, and contains the number of the last transaction. So the new file must have the same number.
// LMDB gives a copy the number of its snapshot, but turns an even number into an odd one. So the number is made odd
// first.

import { linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ABORT } from 'lmdb'
import { Packr } from 'msgpackr'
import { assertRoom } from '../data-folder/disk-space.ts'
import { syncFolder } from '../data-folder/durable-file.ts'
import { copyOwner } from '../data-folder/file-owner.ts'
import { DataError } from '../failures.ts'
import { type CopyProgress, copyStore, usedBytes } from './copy.ts'
import { type Environment, openEnvironment, readersOf } from './environment.ts'
import { DATA_FILE, readStoreMeta } from './store-file.ts'

export type Compaction = { bytesBefore: number; bytesAfter: number }

/** File systems use a little space for themselves. */
const SPARE_BYTES = 1 << 20
const DRAFT = 'compacting'
const BEFORE = `${DATA_FILE}.before`
const packr = new Packr({ useRecords: false })

/** Compacts a store. Throws DataError('store_unavailable') if another process has the store open, or
 *  DataError('disk_full') if the new file does not fit beside the old one. The store is then unchanged. */
export async function compactStore(folder: string, onProgress: CopyProgress): Promise<Compaction> {
  const environment = openEnvironment(folder)
  const { path } = environment
  const draft = join(path, `${DRAFT}-${process.pid}`)
  try {
    assertAlone(environment)
    removeLeftovers(path)
    assertRoom(path, usedBytes(environment) + SPARE_BYTES, 'The compacted store')
    const transaction = makeOdd(environment)
    await copyStore(environment, draft, onProgress)
    assertSameContent(environment, join(draft, DATA_FILE), transaction)
    copyOwner(join(path, DATA_FILE), join(draft, DATA_FILE))
    return replaceFile(environment, join(draft, DATA_FILE), transaction)
  } finally {
    rmSync(draft, { recursive: true, force: true })
    await environment.close()
  }
}

/** Removes what a killed compaction left: its unfinished copy, or the old file. */
function removeLeftovers(path: string): void {
  for (const name of readdirSync(path)) {
    if (name.startsWith(`${DRAFT}-`) || name === BEFORE) rmSync(join(path, name), { recursive: true })
  }
}

function assertAlone({ databases, path }: Environment): void {
  const readers = readersOf(databases.root)
  // One reader is this process, which has read the store's version.
  if (readers.length <= 1) return
  const others = [...new Set(readers.map(({ pid }) => pid).filter((pid) => pid !== process.pid))]
  throw new DataError(
    'store_unavailable',
    `Cannot compact ${path} while it is used, by process ${others.join(', ') || process.pid}: stop the server and what ` +
      'loads into it first',
  )
}

const lastTransaction = ({ databases }: Environment): number =>
  (databases.root.getStats() as { lastTxnId: number }).lastTxnId

function makeOdd(environment: Environment): number {
  const { root, meta } = environment.databases
  while (lastTransaction(environment) % 2 === 0) {
    root.transactionSync(() => meta.putSync('compacted', packr.pack(Date.now())))
  }
  return lastTransaction(environment)
}

function assertSameContent(environment: Environment, file: string, transaction: number): void {
  const copied = readStoreMeta(file)?.transaction
  if (copied === transaction && lastTransaction(environment) === transaction) return
  throw new DataError('store_unavailable', `${environment.path} was written to while it was compacted: do it again`)
}

function replaceFile(environment: Environment, copy: string, transaction: number): Compaction {
  const { databases, path } = environment
  const [data, before] = [join(path, DATA_FILE), join(path, BEFORE)]
  const sizes = { bytesBefore: statSync(data).size, bytesAfter: statSync(copy).size }
  databases.root.transactionSync(() => {
    assertSameContent(environment, copy, transaction)
    assertAlone(environment)
    linkSync(data, before)
    renameSync(copy, data)
    try {
      // Finds each process that has opened the old file, because it is already in the table of readers. A process that
      // enters the table later sees that the file was replaced.
      assertAlone(environment)
    } catch (error) {
      renameSync(before, data)
      throw error
    }
    syncFolder(path)
    rmSync(before)
    return ABORT
  })
  return sizes
}

// Copies a store while it is used: one snapshot of everything, without free pages.
//
// LMDB copies within a read transaction. Until it ends, LMDB does not reuse any page that the transaction can see, so
// the copied store grows by whatever is written in the meantime. The copy and the writers never wait for each other.

import { mkdirSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { writeFailure } from '../data-folder/disk-space.ts'
import { syncFile, syncFolder } from '../data-folder/durable-file.ts'
import type { Environment } from './environment.ts'
import { DATA_FILE } from './store-file.ts'

/** Called a few times a second. `bytes` may end a little below or above `ofBytes`. */
export type CopyProgress = (bytes: number, ofBytes: number) => void

const PROGRESS_MS = 200
/** Every file begins with two meta pages. */
const META_PAGES = 2

type Pages = { treeBranchPageCount: number; treeLeafPageCount: number; overflowPages: number }

/** Returns the bytes of all pages that are not free. A copy of the store takes about as many. */
export function usedBytes({ databases }: Pick<Environment, 'databases'>): number {
  const { root, ...named } = databases
  const whole = root.getStats() as { pageSize: number; root: Pages; free: Pages }
  const trees = [whole.root, whole.free, ...Object.values(named).map((database) => database.getStats() as Pages)]
  return trees.map(pageCount).reduce((sum, count) => sum + count, META_PAGES) * whole.pageSize
}

const pageCount = ({ treeBranchPageCount, treeLeafPageCount, overflowPages }: Pages) =>
  treeBranchPageCount + treeLeafPageCount + overflowPages

/** Writes the copy into a new folder; it is on the disk when this resolves. Rejects with DataError('disk_full'). */
export async function copyStore(environment: Environment, folder: string, onProgress: CopyProgress): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, DATA_FILE)
  const expected = usedBytes(environment)
  const reportProgress = () => onProgress(statSync(file, { throwIfNoEntry: false })?.size ?? 0, expected)
  const timer = setInterval(reportProgress, PROGRESS_MS)
  try {
    await environment.databases.root.backup(folder, true)
    reportProgress()
    syncFile(file)
    syncFolder(folder)
  } catch (error) {
    throw writeFailure(asError(error), folder)
  } finally {
    clearInterval(timer)
  }
}

/** Adds the error number, which errors from the copying thread lack. */
function asError(error: unknown): unknown {
  const isFull = error instanceof Error && /no space left/i.test(error.message)
  return isFull ? Object.assign(error, { code: constants.errno.ENOSPC }) : error
}

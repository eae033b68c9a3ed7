// Restores a backup into a data folder: checks and copies everything first, then replaces the old data in one step.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { assertRoom, writeFailure } from '../../storage/data-folder/disk-space.ts'
import { ownAs } from '../../storage/data-folder/file-owner.ts'
import {
  beginReplacement,
  commitReplacement,
  finishReplacement,
  syncFolder,
} from '../../storage/data-folder/replacement.ts'
import { DataError } from '../../storage/failures.ts'
import {
  type Environment,
  openEnvironment,
  readersOf,
  renewCursorSecret,
  underWriteLock,
} from '../../storage/keep-store.ts'
import { hasStore } from '../../storage/open-store.ts'
import { ACCOUNTS_FILE } from '../accounts/open-accounts.ts'
import { assertSame, bytesOf, checkFiles, eachFile } from './backup-files.ts'
import type { BackupProgress } from './backup-progress.ts'
import { copyFileWithDigest } from './file-digest.ts'
import { BackupError, type BackupFile, type Manifest, readManifest, TargetExists } from './manifest.ts'

const SPARE_BYTES = 4 << 20

export type RestoreOptions = {
  /** True if an existing store or accounts are moved aside. */
  force: boolean
  onProgress: BackupProgress
}

export type Restored = { manifest: Manifest; movedTo: string | null }

/** Reads the whole backup. Throws BackupError for a file that is missing, truncated or changed. */
export async function checkBackup(backup: string, onProgress: BackupProgress): Promise<Manifest> {
  const manifest = readManifest(backup)
  await checkFiles(backup, manifest, (done, of) => onProgress('checking', done, of))
  return manifest
}

/** Throws BackupError or DataError('disk_full') before it changes anything in the data folder. If the process is
 *  killed, the folder is unchanged, or the next process that opens the folder finishes the restore. */
export async function restoreBackup(backup: string, data: string, options: RestoreOptions): Promise<Restored> {
  readManifest(backup)
  const folder = resolve(data)
  if (existsSync(folder)) finishReplacement(folder)
  await assertFree(folder, data, options.force)
  const manifest = await checkBackup(backup, options.onProgress)
  const isNew = !existsSync(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (isNew) ownAs(dirname(folder), folder)
  const { staged, path } = beginReplacement(folder)
  try {
    assertRoom(folder, bytesOf(manifest) + SPARE_BYTES, 'The restored data')
    const onBytes = (done: number, of: number) => options.onProgress('restoring', done, of)
    await eachFile(manifest, onBytes, (file, onBytes) => copyFile(backup, path, file, onBytes))
    await renewCursorSecret(path)
    for (const entry of readdirSync(path)) syncTree(join(path, entry))
    syncFolder(path)
    ownAs(folder, path)
    if (!options.force) await assertFree(folder, data, false)
    const replaced = replacedEntries(folder, manifest)
    const aside = `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    await commitUnused(folder, data, (assertFree) =>
      commitReplacement(folder, staged, { aside, without: sqliteLeftovers(manifest) }, assertFree),
    )
    return { manifest, movedTo: replaced.length > 0 ? join(data, aside) : null }
  } catch (error) {
    // If the commit is done, this removes nothing: the commit has renamed the staged folder.
    rmSync(staged, { recursive: true, force: true })
    if (isNew && readdirSync(folder).length === 0) rmSync(folder, { recursive: true })
    throw writeFailure(error, folder)
  }
}

const entriesOf = ({ files }: Manifest): string[] => [...new Set(files.map(({ path }) => path.split('/')[0]!))]
/** Log files of the replaced accounts. If they stayed next to another database file, SQLite would take them for the
 *  newest changes of that file. */
const sqliteLeftovers = (manifest: Manifest): string[] =>
  manifest.accounts === 'sqlite' ? [`${ACCOUNTS_FILE}-wal`, `${ACCOUNTS_FILE}-shm`] : []

const replacedEntries = (folder: string, manifest: Manifest): string[] =>
  [...entriesOf(manifest), ...sqliteLeftovers(manifest)].filter((entry) => existsSync(join(folder, entry)))

async function assertFree(folder: string, data: string, force: boolean): Promise<void> {
  if (!force) {
    const what = hasStore(folder) ? 'a store' : existsSync(join(folder, ACCOUNTS_FILE)) ? 'accounts' : undefined
    if (what === undefined) return
    throw new TargetExists(`${data} has ${what} already: name another folder, or --force, which moves them aside`)
  }
  const environment = openedStore(folder)
  if (environment === undefined) return
  try {
    assertUnused(environment, data)
  } finally {
    await environment.close()
  }
}

function assertUnused({ databases }: Environment, data: string): void {
  const pids = readersOf(databases.root).map(({ pid }) => pid)
  if (pids.length <= 1) return
  const others = [...new Set(pids)].filter((pid) => pid !== process.pid).join(', ')
  throw new BackupError(
    `${data} is used by process ${others || process.pid}: stop the server and what loads into it first`,
  )
}

/** Returns the open store; undefined if there is none, or if it cannot be opened. A damaged store is what backups are
 *  for, so this is not an error. No other process can have such a store open either. */
function openedStore(folder: string): Environment | undefined {
  if (!hasStore(folder)) return undefined
  try {
    return openEnvironment(folder)
  } catch (error) {
    if (error instanceof DataError) return undefined
    throw error
  }
}

/** Runs `commit` while no other process can begin to write to the existing store. */
async function commitUnused(folder: string, data: string, commit: (assertFree: () => void) => void): Promise<void> {
  const environment = openedStore(folder)
  if (environment === undefined) return commit(() => undefined)
  const assertFree = () => assertUnused(environment, data)
  try {
    underWriteLock(environment, () => {
      assertFree()
      commit(assertFree)
    })
  } finally {
    await environment.close()
  }
}

async function copyFile(
  backup: string,
  folder: string,
  file: BackupFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  mkdirSync(dirname(join(folder, file.path)), { recursive: true, mode: 0o700 })
  assertSame(backup, file, await copyFileWithDigest(join(backup, file.path), join(folder, file.path), onBytes))
}

function syncTree(path: string): void {
  if (!statSync(path).isDirectory()) return
  for (const name of readdirSync(path)) syncTree(join(path, name))
  syncFolder(path)
}

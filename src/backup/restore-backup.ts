// Restores a backup into a data folder: checks and copies everything first, then moves the old data aside and the new
// data into place.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { assertRoom, writeFailure } from '../../storage/data-folder/disk-space.ts'
import { isAlive, syncFolder } from '../../storage/data-folder/durable-file.ts'
import { ownAs } from '../../storage/data-folder/file-owner.ts'
import { DataError } from '../../storage/failures.ts'
import { type Environment, openEnvironment, readersOf, renewCursorSecret } from '../../storage/keep-store.ts'
import { hasStore } from '../../storage/open-store.ts'
import { ACCOUNTS_FILE } from '../accounts/open-accounts.ts'
import { CommandError, EXIT } from '../command-error.ts'
import { assertComplete, bytesOf, readFiles } from './backup-files.ts'
import type { BackupProgress } from './backup-progress.ts'
import { type Manifest, readManifest } from './manifest.ts'

const SPARE_BYTES = 4 << 20

export type RestoreOptions = {
  /** True to move an existing store and accounts aside; false to refuse to restore over them. */
  force: boolean
  onProgress: BackupProgress
}

export type Restored = { manifest: Manifest; movedTo: string | null }

/** Reads the whole backup. Throws CommandError for a file that is missing, truncated or changed. */
export async function checkBackup(backup: string, onProgress: BackupProgress): Promise<Manifest> {
  const manifest = readManifest(backup)
  assertComplete(backup, manifest)
  await readFiles(backup, manifest, null, (done, of) => onProgress('checking', done, of))
  return manifest
}

/** Restores a backup into a data folder. Throws CommandError or DataError('disk_full') before it changes anything
 *  there. If the process is killed while it moves entries into place, some are missing: restore again with
 *  `force`. */
export async function restoreBackup(backup: string, data: string, options: RestoreOptions): Promise<Restored> {
  const { force, onProgress } = options
  const manifest = readManifest(backup)
  const folder = resolve(data)
  await assertFree(folder, data, force)
  assertComplete(backup, manifest)
  const isNew = !existsSync(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (isNew) ownAs(dirname(folder), folder)
  removeOldStages(folder)
  const staged = join(folder, `.restoring-${process.pid}`)
  try {
    assertRoom(folder, bytesOf(manifest) + SPARE_BYTES, 'The restored data')
    mkdirSync(staged, { mode: 0o700 })
    await readFiles(backup, manifest, staged, (done, of) => onProgress('restoring', done, of))
    await renewCursorSecret(staged)
    syncTree(staged)
    ownAs(folder, staged)
    await assertFree(folder, data, force)
    const aside = moveIntoPlace(folder, staged)
    return { manifest, movedTo: aside === null ? null : join(data, aside) }
  } catch (error) {
    rmSync(staged, { recursive: true, force: true })
    if (isNew && readdirSync(folder).length === 0) rmSync(folder, { recursive: true })
    throw writeFailure(error, folder)
  }
}

/** Removes the leftovers of restores that were killed, and of an earlier restore of this process. */
function removeOldStages(folder: string): void {
  for (const entry of readdirSync(folder)) {
    const pid = Number(/^\.restoring-([0-9]+)$/.exec(entry)?.[1] ?? 0)
    if (pid > 0 && (pid === process.pid || !isAlive(pid))) rmSync(join(folder, entry), { recursive: true })
  }
}

/** Returns the name of the folder that has the replaced entries; null if nothing was replaced. Moves the old store away
 *  first, and the new store into place last. So a kill in between leaves a folder without a store. */
function moveIntoPlace(folder: string, staged: string): string | null {
  const entries = readdirSync(staged).sort()
  const aside = `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  const replaced = entries.flatMap(withLogs).filter((entry) => existsSync(join(folder, entry)))
  if (replaced.length > 0) mkdirSync(join(folder, aside), { mode: 0o700 })
  for (const entry of replaced.reverse()) renameSync(join(folder, entry), join(folder, aside, entry))
  for (const entry of entries) renameSync(join(staged, entry), join(folder, entry))
  syncFolder(folder)
  rmSync(staged, { recursive: true })
  return replaced.length > 0 ? aside : null
}

/** Adds the log files of the accounts. If they stayed next to another database file, SQLite would take them for the
 *  newest changes of that file. */
const withLogs = (entry: string): string[] =>
  entry === ACCOUNTS_FILE ? [entry, `${entry}-wal`, `${entry}-shm`] : [entry]

async function assertFree(folder: string, data: string, force: boolean): Promise<void> {
  if (!force) {
    const what = hasStore(folder) ? 'a store' : existsSync(join(folder, ACCOUNTS_FILE)) ? 'accounts' : undefined
    if (what === undefined) return
    throw new CommandError(
      `${data} has ${what} already: name another folder, or --force, which moves them aside`,
      EXIT.usage,
    )
  }
  const environment = openedStore(folder)
  if (environment === undefined) return
  const pids = readersOf(environment.databases.root).map(({ pid }) => pid)
  await environment.close()
  if (pids.length <= 1) return
  const others = [...new Set(pids)].filter((pid) => pid !== process.pid).join(', ')
  throw new CommandError(
    `${data} is used by process ${others || process.pid}: stop the server and what loads into it first`,
    EXIT.failed,
  )
}

/** Returns the open store; undefined if there is none, or if it cannot be opened. This is not an error: a backup may
 *  be restored to replace a damaged store, and no other process can have such a store open. */
function openedStore(folder: string): Environment | undefined {
  if (!hasStore(folder)) return undefined
  try {
    return openEnvironment(folder)
  } catch (error) {
    if (error instanceof DataError) return undefined
    throw error
  }
}

function syncTree(path: string): void {
  if (!statSync(path).isDirectory()) return
  for (const name of readdirSync(path)) syncTree(join(path, name))
  syncFolder(path)
}

// Makes a backup: a consistent copy of the store, of the accounts, and of the stored rejects, while all of them are in
// use. A backup is a folder with a manifest; until it is complete it has a temporary name.

import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { assertRoom, writeFailure } from '../../storage/data-folder/disk-space.ts'
import { syncFile, syncFolder, writeDurably } from '../../storage/data-folder/durable-file.ts'
import {
  copyStore,
  DATA_FILE,
  LOCK_FILE,
  openToRead,
  readStoreMeta,
  STORE_FOLDER,
  STORE_VERSION,
  usedBytes,
} from '../../storage/keep-store.ts'
import { openStoreToRead, type Store, type StoreOnDisk } from '../../storage/open-store.ts'
import { VENUES } from '../../storage/venue.ts'
import { verifyStore } from '../../workers/verify/verify-store.ts'
import { ACCOUNTS_FILE } from '../accounts/open-accounts.ts'
import { checkSqliteFile, copySqliteFile } from '../accounts/sql/sqlite-copy.ts'
import { CommandError, EXIT } from '../command-error.ts'
import { DAY_FILES_FOLDER } from '../day-files/day-files.ts'
import { VERSION } from '../version.ts'
import type { BackupProgress } from './backup-progress.ts'
import { copyFileWithDigest, digestFile } from './file-digest.ts'
import { type BackupFile, MANIFEST_FILE, MANIFEST_FORMAT, type Manifest, REJECTS_FOLDER } from './manifest.ts'

const SPARE_BYTES = 4 << 20

export type BackupSource = {
  /** Data folder. */
  data: string
  /** The SQLite file of the accounts; null if they are in PostgreSQL. */
  accountsFile: string | null
}

/** Makes a backup. Rejects with CommandError if the target exists or the store is damaged, and with
 *  DataError if the store cannot be read or the target's disk is full. After a failure, nothing of the backup remains.
 *  With `verify`, also reads and checks everything in the copy. */
export async function makeBackup(
  source: BackupSource,
  target: string,
  { verify, onProgress }: { verify: boolean; onProgress: BackupProgress },
): Promise<Manifest> {
  const backup = resolve(target)
  if (existsSync(backup)) throw new CommandError(`${target} exists already: name a new folder`, EXIT.usage)
  mkdirSync(dirname(backup), { recursive: true })
  const partial = join(dirname(backup), `.${basename(backup)}.partial-${process.pid}`)
  rmSync(partial, { recursive: true, force: true })
  try {
    mkdirSync(partial, { mode: 0o700 })
    await copyContent(source, partial, onProgress)
    const manifest = await describe(source, partial, { verify, onProgress })
    writeDurably(join(partial, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`)
    syncFolder(partial)
    if (existsSync(backup)) throw new CommandError(`${target} was made by another process meanwhile`, EXIT.usage)
    renameSync(partial, backup)
    syncFolder(dirname(backup))
    return manifest
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw writeFailure(error, dirname(backup))
  }
}

async function copyContent({ data, accountsFile }: BackupSource, partial: string, onProgress: BackupProgress) {
  const environment = await openToRead(data)
  try {
    const accountsBytes = accountsFile === null ? 0 : sizeOf(accountsFile) + sizeOf(`${accountsFile}-wal`)
    assertRoom(partial, usedBytes(environment) + accountsBytes + SPARE_BYTES, 'The backup')
    await copyStore(environment, join(partial, STORE_FOLDER), (bytes, of) => onProgress('copying', bytes, of))
    chmodSync(join(partial, STORE_FOLDER, DATA_FILE), 0o600)
  } finally {
    await environment.close()
  }
  if (accountsFile !== null && existsSync(accountsFile)) {
    const copy = join(partial, ACCOUNTS_FILE)
    await copySqliteFile(accountsFile, copy)
    chmodSync(copy, 0o600)
    syncFile(copy)
  }
  const rejects = join(data, REJECTS_FOLDER)
  if (!existsSync(rejects)) return
  mkdirSync(join(partial, REJECTS_FOLDER), { mode: 0o700 })
  for (const { name } of readdirSync(rejects, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    await copyFileWithDigest(join(rejects, name), join(partial, REJECTS_FOLDER, name), () => {})
  }
  syncFolder(join(partial, REJECTS_FOLDER))
}

type Describing = { verify: boolean; onProgress: BackupProgress }

async function describe(
  { data, accountsFile }: BackupSource,
  partial: string,
  { verify, onProgress }: Describing,
): Promise<Manifest> {
  const store = await describeStore(partial, { verify, onProgress })
  const accountsCopy = join(partial, ACCOUNTS_FILE)
  if (existsSync(accountsCopy)) await checkSqliteFile(accountsCopy)
  const files = await digestsOf(partial, onProgress)
  const accountsFiles = ['', '-wal', '-shm'].map((end) => `${ACCOUNTS_FILE}${end}`)
  const ignored = [STORE_FOLDER, REJECTS_FOLDER, DAY_FILES_FOLDER, ...accountsFiles]
  return {
    format: MANIFEST_FORMAT,
    program: 'backbook',
    version: VERSION,
    created_at: new Date().toISOString(),
    store,
    accounts: accountsFile === null ? 'postgresql' : existsSync(accountsCopy) ? 'sqlite' : 'none',
    files,
    not_included: readdirSync(data).filter((name) => !ignored.includes(name) && !/^\.restoring-|\.tmp$/.test(name)),
  }
}

async function digestsOf(partial: string, onProgress: BackupProgress): Promise<BackupFile[]> {
  const paths = filesIn(partial)
  const total = paths.reduce((sum, path) => sum + sizeOf(join(partial, path)), 0)
  const files: BackupFile[] = []
  let done = 0
  const onBytes = (bytes: number) => {
    done += bytes
    onProgress('checking', done, total)
  }
  for (const path of paths) files.push({ path, ...(await digestFile(join(partial, path), onBytes)) })
  return files
}

/** Opens the copy as a server would, and counts its content. */
async function describeStore(partial: string, { verify, onProgress }: Describing): Promise<Manifest['store']> {
  const store = await openStoreToRead(partial)
  try {
    if (verify) await assertVerified(store, onProgress)
    return { format: STORE_VERSION, ...(await countsOf(store)), transaction: transactionOf(partial) }
  } finally {
    await store.close()
    rmSync(join(partial, STORE_FOLDER, LOCK_FILE), { force: true })
  }
}

const transactionOf = (partial: string) => readStoreMeta(join(partial, STORE_FOLDER, DATA_FILE))?.transaction ?? 0

async function countsOf({ catalogue }: Store): Promise<{ markets: number; market_days: number; records: number }> {
  const counts = { markets: 0, market_days: 0, records: 0 }
  for (const venue of VENUES) {
    counts.markets += (await catalogue.markets(venue, { prefix: '', offset: 0, limit: 1 })).totalCount
    for await (const key of catalogue.partitions(venue)) {
      counts.market_days++
      counts.records += (await catalogue.head(key))?.recordCount ?? 0
    }
  }
  return counts
}

async function assertVerified(store: StoreOnDisk, onProgress: BackupProgress): Promise<void> {
  const total = (await store.maintenance.stats()).partitions
  let startedDays = 0
  const { damage, storeDamage } = await verifyStore(store, () => onProgress('verifying', startedDays++, total))
  const places = [
    ...damage.map(({ venue, market, date, what }) => `${venue} ${market} ${date}: ${what}`),
    ...storeDamage,
  ]
  const [place, ...more] = places
  if (place === undefined) return
  throw new CommandError(
    `the store is damaged, and no backup was made of it: ${place}; and ${more.length} places more`,
    EXIT.failed,
  )
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Returns the paths inside a folder, sorted. */
function filesIn(folder: string, under = ''): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(under, entry.name)
      return entry.isDirectory() ? filesIn(folder, path) : [path]
    })
    .sort()
}

// Opens the LMDB environment of a data folder, or reports why it cannot be opened, and lists the other processes that
// have it open.
//
//   heads, blocks, rows  the rows of the store (storage/rows/keys.ts), by their kinds
//   meta                 version of the format, time of the last compaction

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { type DatabaseOptions, open, type RootDatabase } from 'lmdb'
import { Packr } from 'msgpackr'
import { addressSpaceLeft } from '../data-folder/address-space.ts'
import { assertRoom, megabytes, writeFailure } from '../data-folder/disk-space.ts'
import { syncFile } from '../data-folder/durable-file.ts'
import { DataError, otherFormat } from '../failures.ts'
import { SECRET_KEY } from '../rows/keys.ts'
import { storeRow } from '../rows/store-values.ts'
import { type Databases, ROW_KEYS, type RowDatabase } from './databases.ts'
import { DATA_FILE, LOCK_FILE, needsWriter, prepareStoreFiles } from './store-file.ts'

export const STORE_VERSION = 5
export const STORE_FOLDER = 'store'
/** The names of the databases, in the order of the index. */
const NAMES = ['blocks', 'heads', 'meta', 'rows']
/** Matches the errors of LMDB for damaged pages. */
const BROKEN_PAGES = /^MDB_(CORRUPTED|PAGE_NOTFOUND|INVALID|CURSOR_FULL|PROBLEM)/
const RESTORE = 'Restore a backup of it: docs/operations.md'
const NEW_STORE_BYTES = 1 << 20
const READERS_MAX = 256
const OPENING_TRIES = 5
/** Bytes of address space, not of memory or disk. When a file outgrows its map, LMDB maps it again. If two threads of a
 *  process do so at once, a wrong length remains, and closing then unmaps memory that does not belong to the store. So
 *  the map is larger than most files will ever be, and small enough for machines with 39-bit addresses. */
const MAP_BYTES = 64 * 2 ** 30
const MAP_UNIT = 1 << 20
/** The map may take this share of the address space; the rest is for what the process maps later. */
const MAP_SHARE = 0.5
/** Only the owner may read the store: it contains the secret that signs cursors. */
const OWNER_ALONE = { permissionsMode: 0o600 }
const packr = new Packr({ useRecords: false })
/** Stores that this thread has opened, by the inode of their lock file. A closed store may leave its entry in the lock
 *  file. */
const openedLocks = new Set<number>()

export type Environment = {
  databases: Databases
  path: string
  close(): Promise<void>
}

type Root = RootDatabase<Uint8Array, string>

/** Returns the file that holds a data folder's records. */
export const storeFile = (folder: string): string => join(folder, STORE_FOLDER, DATA_FILE)

export type Opening = {
  /** Opens for reading only, which never waits for a writer. A process has one environment: the first opening decides
   *  whether it may write. */
  readOnly?: boolean
  /** Initial size of the map, bytes. LMDB enlarges the map of each process when that process meets a page outside
   *  it. */
  mapBytes?: number
}

/** Thrown if a process that opens only for reading cannot open the store: it does not exist yet, or the machine stopped
 *  while it was being written. A process that opens it for writing can prepare it. */
export class NotReadable extends DataError {
  constructor(folder: string) {
    super('store_unavailable', `The store in ${folder} is not made yet, or was not closed before the machine stopped`)
  }
}

class Replaced extends DataError {
  constructor(folder: string) {
    super('store_unavailable', `The store in ${folder} was replaced while it was being opened: try again`)
  }
}

/** Opens the environment and creates it if it is missing. Throws DataError('store_unavailable') or
 *  DataError('disk_full'); if `readOnly`, creates nothing, and throws NotReadable. */
export function openEnvironment(folder: string, opening: Opening = {}): Environment {
  for (let tries = 1; ; tries++) {
    try {
      return openOnce(folder, opening)
    } catch (error) {
      if (!(error instanceof Replaced) || tries === OPENING_TRIES) throw error
    }
  }
}

/** Closes an environment that may have written. To close it, lmdb-js spins until the lock file and the data file have
 *  the same number of the last transaction. If a writer was killed between writing the two, the numbers differ until
 *  a process takes the writer's lock: lmdb-js would spin for ever. So this function takes the lock first. */
async function closeAfterWriters(root: Root): Promise<void> {
  try {
    root.transactionSync(() => undefined)
  } catch {
    // A damaged file is closed all the same.
  }
  await root.close()
}

function openOnce(folder: string, { readOnly = false, mapBytes }: Opening): Environment {
  const path = join(folder, STORE_FOLDER)
  let root: Root | undefined
  try {
    if (readOnly && needsWriter(storeFile(folder))) throw new NotReadable(folder)
    if (!readOnly) makeRoom(folder)
    prepareStoreFiles(path)
    const file = fileOf(folder)
    // This also removes dead processes from the table of readers. Otherwise the pages that they read could never be
    // reused.
    root = open<Uint8Array, string>({
      path,
      encoding: 'binary',
      maxDbs: 12,
      maxReaders: READERS_MAX,
      mapSize: mapBytes ?? mapBytesHere(folder),
      readOnly,
      ...OWNER_ALONE,
    })
    refuseOwnNumber(root, path)
    // Opening a missing database creates it, so the format is checked first: a store of another format stays unchanged.
    assertFormat(root, folder)
    const databases = openDatabases(root, folder)
    prepareMeta(databases, folder, readOnly)
    // This process is in the table of readers now: a process that replaces the store later sees it and stops.
    if (file !== undefined && fileOf(folder) !== file) throw new Replaced(folder)
    const opened = root
    return { databases, path, close: () => (readOnly ? opened.close() : closeAfterWriters(opened)) }
  } catch (error) {
    void root?.close()
    const failure = writeFailure(error, folder)
    if (failure instanceof DataError) throw failure
    const { message } = error as Error
    if (BROKEN_PAGES.test(message)) throw damaged(folder, message)
    throw new DataError('store_unavailable', `Cannot open the store in ${folder}: ${message}`)
  }
}

/** Opens for reading only, which waits for no writer. If the store is new, or was not closed before the machine
 *  stopped, briefly opens it for writing first. */
export async function openToRead(folder: string): Promise<Environment> {
  try {
    return openEnvironment(folder, { readOnly: true })
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error
  }
  await openEnvironment(folder).close()
  return openEnvironment(folder, { readOnly: true })
}

function makeRoom(folder: string): void {
  const path = join(folder, STORE_FOLDER)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (!existsSync(storeFile(folder))) assertRoom(path, NEW_STORE_BYTES, 'A new store')
}

/** Returns the size of the map for this process. Throws DataError('store_unavailable') if the store's file does not fit
 *  into the address space left. */
function mapBytesHere(folder: string): number {
  const room = addressSpaceLeft() * MAP_SHARE
  if (room >= MAP_BYTES) return MAP_BYTES
  const fileBytes = statSync(storeFile(folder), { throwIfNoEntry: false })?.size ?? 0
  const mapBytes = Math.floor(room / MAP_UNIT) * MAP_UNIT
  if (mapBytes > fileBytes + NEW_STORE_BYTES) return mapBytes
  throw new DataError(
    'store_unavailable',
    `Cannot open the store in ${folder}: this process may map ${megabytes(mapBytes)}, and the store needs ` +
      `${megabytes(fileBytes + NEW_STORE_BYTES)}: raise the limit of its address space (ulimit -v)`,
  )
}

export type Reader = { pid: number }

/** Returns the readers in the lock file without the dead ones, but including this process. Every process that has
 *  opened the store is among them. */
export function readersOf(root: Root): Reader[] {
  root.readerCheck()
  return listReaders(root)
}

const listReaders = (root: Root): Reader[] =>
  [...root.readerList().matchAll(/^ *([0-9]+) [0-9a-f]+ (?:-|[0-9]+)$/gm)].map(([, pid]) => ({ pid: Number(pid) }))

// LMDB distinguishes processes by their number. Two processes with the same number, in two containers, would wait for
// each other for ever. A second thread of this process would look the same, so only the main thread checks: it opens a
// store before its workers do.
function refuseOwnNumber(root: Root, path: string): void {
  const lock = statSync(join(path, LOCK_FILE)).ino
  if (!isMainThread || openedLocks.has(lock)) return
  if (listReaders(root).every(({ pid }) => pid !== process.pid)) {
    openedLocks.add(lock)
    return
  }
  throw new DataError(
    'store_unavailable',
    `Another process with the number ${process.pid}, most likely in another container, has ${path} open: run commands ` +
      "inside the server's container, or let the containers share their process numbers",
  )
}

/** Returns a text that identifies the store's file; undefined if there is no file. It contains the birth time, because
 *  after two replacements a new file may have the inode of an earlier file. */
function fileOf(folder: string): string | undefined {
  const stats = statSync(storeFile(folder), { throwIfNoEntry: false, bigint: true })
  return stats && `${stats.ino} ${stats.birthtimeNs}`
}

function openDatabases(root: Root, folder: string): Databases {
  const named = (name: string, options: DatabaseOptions) => {
    const database: RowDatabase | undefined = root.openDB<Uint8Array, string>({ name, ...options })
    // When opened for reading only, LMDB does not create a missing database.
    if (database === undefined) throw new NotReadable(folder)
    return database
  }
  return {
    root,
    heads: named('heads', ROW_KEYS),
    blocks: named('blocks', ROW_KEYS),
    rows: named('rows', ROW_KEYS),
    meta: named('meta', { encoding: 'binary' }),
  }
}

/** Throws DataError('store_unavailable') for a store of another format. A new file has no format yet. */
function assertFormat(root: Root, folder: string): void {
  assertNames(root, folder, false)
  const meta: Databases['meta'] | undefined = root.openDB<Uint8Array, string>({ name: 'meta', encoding: 'binary' })
  const stored = meta?.get('version')
  if (stored === undefined) return
  const version = packr.unpack(stored) as number
  if (version !== STORE_VERSION) throw otherFormat(`The store in ${folder}`, version, STORE_VERSION)
  assertNames(root, folder, true)
}

// LMDB creates a database whose name it does not find. If damage hides a name, all of its rows would seem to be gone.
// The version is stored last, so a store that has one has all names.
function assertNames(root: Root, folder: string, hasVersion: boolean): void {
  const names = [...root.getKeys()]
  const { entryCount } = root.getStats() as { entryCount: number }
  if (names.length === entryCount && (!hasVersion || names.join() === NAMES.join())) return
  throw damaged(folder, 'some names of its databases are missing')
}

const damaged = (folder: string, what: string) =>
  new DataError('store_unavailable', `The store in ${folder} is damaged: ${what}. ${RESTORE}`)

function prepareMeta(databases: Databases, folder: string, readOnly: boolean): void {
  const { root, rows, meta } = databases
  if (meta.get('version') !== undefined) return
  assertNew(databases, folder)
  if (readOnly) throw new NotReadable(folder)
  root.transactionSync(() => {
    if (meta.get('version') !== undefined) return
    meta.putSync('version', packr.pack(STORE_VERSION))
    const { key, value } = newSecretRow()
    rows.putSync(key, value)
  })
}

// A store without a version must be new, that is, empty. If it has data, the version was lost by damage: writing a new
// version and a new secret would hide that.
function assertNew({ meta, rows }: Databases, folder: string): void {
  if (meta.get('version') !== undefined || (isEmpty(meta) && isEmpty(rows))) return
  throw damaged(folder, 'its version is missing')
}

const isEmpty = (database: Databases['meta']): boolean => [...database.getKeys({ start: '\0', limit: 1 })].length === 0

/** Returns the row with a new secret for signing cursors. */
const newSecretRow = () => storeRow(SECRET_KEY, randomBytes(32))

/** Renews the secret for signing cursors in a restored store, which nothing else has open. Records since the backup may
 *  be stored again differently, so cursors from before the restore would point elsewhere. The new secret is on the disk
 *  when this resolves. */
export async function renewCursorSecret(folder: string): Promise<void> {
  const { databases, path, close } = openEnvironment(folder)
  try {
    const { key, value } = newSecretRow()
    databases.root.transactionSync(() => void databases.rows.putSync(key, value))
  } finally {
    await close()
  }
  syncFile(join(path, DATA_FILE))
  rmSync(join(path, LOCK_FILE))
}

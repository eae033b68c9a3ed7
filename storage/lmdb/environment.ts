// Opens the LMDB environment of a data folder, or says why it cannot be opened, and tells who else has it open.
//
//   heads    venue, market, date              → head of the partition
//   blocks   venue, market, date, id          → block, with its name
//   parts    venue, market, date, kind, id, n → states, seconds and minutes of book n; under 'books' those of the day
//   markets  venue, market                    → first and last date, number of dates, revision
//   slugs    'event' | 'market', slug         → what the lookup answers
//   metadata 'event' | 'market', venue, id    → what the venue says of it
//            'audit', venue, market, date     → how a recorder's books compared with the venue's
//   finding  …                                → what search and calendar answer from (finding/)
//   meta     name                             → format version, cursor secret, newest record of a venue, counts

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { ABORT, open, type RootDatabase } from 'lmdb'
import { Packr } from 'msgpackr'
import { addressSpaceLeft } from '../data-folder/address-space.ts'
import { assertRoom, megabytes, writeFailure } from '../data-folder/disk-space.ts'
import { finishReplacement, isReplacing } from '../data-folder/replacement.ts'
import { DataError, otherFormat } from '../failures.ts'
import { checkRoots } from './check-index.ts'
import { DATA_FILE, LOCK_FILE, needsWriter, prepareStoreFiles, readStoreMeta, tellWaiting } from './store-file.ts'
import type { Databases, Key } from './values/databases.ts'
import { putMeta } from './values/stored-values.ts'

export const STORE_VERSION = 3
export const STORE_FOLDER = 'store'
const RESTORE = 'Restore a backup of it: docs/operations.md'
const NEW_STORE_BYTES = 1 << 20
const READERS_MAX = 256
const OPENING_TRIES = 5
/** Address space, not memory and not room on the disk. When a file outgrows its map, LMDB maps it anew; two threads
 *  of a process that do so at once leave a wrong length behind, with which closing unmaps what is not the store's. So
 *  the map is larger than most files will ever be. Small enough for machines with 39 bits of addresses. */
const MAP_BYTES = 64 * 2 ** 30
const MAP_UNIT = 1 << 20
/** Beside it, what this process maps later must find room. */
const MAP_SHARE = 0.5
/** Whoever reads the secret of a store's cursors can make some. */
const OWNER_ALONE = { permissionsMode: 0o600 }
const packr = new Packr({ useRecords: false })
/** Stores that this thread has opened, by the inode of their lock file: a closed one may leave its entry there. */
const openedLocks = new Set<number>()

export type Environment = {
  databases: Databases
  path: string
  close(): Promise<void>
}

type Root = RootDatabase<Uint8Array, Key>

/** Where a data folder's records lie. */
export const storeFile = (folder: string): string => join(folder, STORE_FOLDER, DATA_FILE)

export type Opening = {
  /** Never waits for a writer. A process has one environment: what it opens first decides whether it may write. */
  readOnly?: boolean
  /** Beyond it the map grows by itself, in each process when it meets a page beyond its own. */
  mapBytes?: number
  /** Called when opening waits for another process that writes; stderr says so otherwise. */
  onWaiting?: ((message: string) => void) | undefined
}

/** Only a process that writes can bring this store in order: it is new, or the machine stopped while it was written. */
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

/** Opens, and makes where it is missing. Throws DataError('store_unavailable') or DataError('disk_full'); to read only,
 *  also NotReadable. */
export function openEnvironment(folder: string, opening: Opening = {}): Environment {
  for (let tries = 1; ; tries++) {
    try {
      return openOnce(folder, opening)
    } catch (error) {
      if (!(error instanceof Replaced) || tries === OPENING_TRIES) throw error
    }
  }
}

function openOnce(folder: string, { readOnly = false, mapBytes, onWaiting }: Opening): Environment {
  const path = join(folder, STORE_FOLDER)
  let root: Root | undefined
  try {
    finishReplacement(folder)
    if (readOnly && needsWriter(storeFile(folder))) throw new NotReadable(folder)
    if (!readOnly) makeRoom(folder)
    prepareStoreFiles(path)
    if (!readOnly) tellWaiting(join(path, LOCK_FILE), onWaiting)
    const file = fileOf(folder)
    if (file !== undefined) assertSoundRoots(storeFile(folder))
    // This also takes dead processes out of the table of readers: what they read would be kept for ever.
    root = open<Uint8Array, Key>({
      path,
      encoding: 'binary',
      maxDbs: 12,
      maxReaders: READERS_MAX,
      mapSize: mapBytes ?? mapBytesHere(folder),
      readOnly,
      ...OWNER_ALONE,
    })
    refuseOwnNumber(root, path)
    // Opening a database that is not there makes it, and a store of another format stays as it is.
    assertFormat(root, folder)
    const databases = openDatabases(root, folder)
    prepareMeta(databases, folder, readOnly)
    // Entered among the readers by now: who replaces the store after this sees that, and leaves it.
    if (isReplacing(folder) || (file !== undefined && fileOf(folder) !== file)) throw new Replaced(folder)
    const opened = root
    return { databases, path, close: () => opened.close() }
  } catch (error) {
    void root?.close()
    const failure = writeFailure(error, folder)
    if (failure instanceof DataError) throw failure
    throw new DataError('store_unavailable', `Cannot open the store in ${folder}: ${(error as Error).message}`)
  }
}

/** Opens to read only, which waits for no writer. A store that is new, or was not closed before the machine stopped, is
 *  opened for writing before, shortly. */
export async function openToRead(folder: string, opening: Pick<Opening, 'onWaiting'> = {}): Promise<Environment> {
  try {
    return openEnvironment(folder, { readOnly: true })
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error
  }
  await openEnvironment(folder, opening).close()
  return openEnvironment(folder, { readOnly: true })
}

function makeRoom(folder: string): void {
  const path = join(folder, STORE_FOLDER)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (!existsSync(storeFile(folder))) assertRoom(path, NEW_STORE_BYTES, 'A new store')
}

/** Throws DataError('store_unavailable') where the store's file does not fit into what this process may map. */
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

function assertSoundRoots(file: string): void {
  const pageBytes = readStoreMeta(file)?.pageBytes
  const faults = pageBytes === undefined ? [] : checkRoots(file, pageBytes)
  if (faults.length > 0) throw new DataError('store_unavailable', describeFaults(file, faults))
}

/** Says what is damaged, and what to do. */
function describeFaults(file: string, [first, ...more]: string[]): string {
  const others = more.length > 0 ? `, and ${more.length} more` : ''
  return `${file} is damaged: ${first}${others}. ${RESTORE}`
}

export type Reader = { pid: number }

/** The readers that are entered in the lock file, this process's own included, without those that have died. Every
 *  process that has opened the store is among them. */
export function readersOf(root: Root): Reader[] {
  root.readerCheck()
  return listReaders(root)
}

const listReaders = (root: Root): Reader[] =>
  [...root.readerList().matchAll(/^ *([0-9]+) [0-9a-f]+ (?:-|[0-9]+)$/gm)].map(([, pid]) => ({ pid: Number(pid) }))

/** Runs `work` under the lock of writers. It begins no transaction that lasts. */
export function underWriteLock({ databases }: Environment, work: () => void): void {
  databases.root.transactionSync(() => {
    work()
    return ABORT
  })
}

// LMDB tells processes apart by their number. Two of the same, in two containers, would wait for each other for ever.
// A thread that opens first would look the same: the main thread opens a store before its workers do.
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

/** Which file it is: an inode that two replacements have freed is given again, with another time of birth. */
function fileOf(folder: string): string | undefined {
  const stats = statSync(storeFile(folder), { throwIfNoEntry: false, bigint: true })
  return stats && `${stats.ino} ${stats.birthtimeNs}`
}

function openDatabases(root: Root, folder: string): Databases {
  const named = (name: string) => {
    const database: Databases['meta'] | undefined = root.openDB<Uint8Array, Key>({ name, encoding: 'binary' })
    // To read only, what is missing is not made.
    if (database === undefined) throw new NotReadable(folder)
    return database
  }
  return {
    root,
    heads: named('heads'),
    blocks: named('blocks'),
    parts: named('parts'),
    markets: named('markets'),
    slugs: named('slugs'),
    metadata: named('metadata'),
    finding: named('finding'),
    meta: named('meta'),
  }
}

/** Throws DataError('store_unavailable') for a store of another format. A new file has none yet. */
function assertFormat(root: Root, folder: string): void {
  const meta: Databases['meta'] | undefined = root.openDB<Uint8Array, Key>({ name: 'meta', encoding: 'binary' })
  const stored = meta?.get('version')
  if (stored === undefined) return
  const version = packr.unpack(stored) as number
  if (version !== STORE_VERSION) throw otherFormat(`The store in ${folder}`, version, STORE_VERSION)
}

function prepareMeta(databases: Databases, folder: string, readOnly: boolean): void {
  const { root, meta } = databases
  if (meta.get('version') !== undefined) return
  assertNew(databases, folder)
  if (readOnly) throw new NotReadable(folder)
  root.transactionSync(() => {
    if (meta.get('version') !== undefined) return
    meta.putSync('version', packr.pack(STORE_VERSION))
    putMeta(databases, 'cursor_secret', newCursorSecret())
  })
}

// A store that has lost its version must not get a new one, with a new secret: something has changed the key.
function assertNew({ meta, heads }: Databases, folder: string): void {
  if (meta.get('version') !== undefined || (isEmpty(meta) && isEmpty(heads))) return
  throw new DataError('store_unavailable', `The store in ${folder} is damaged: its version is missing. ${RESTORE}`)
}

const isEmpty = (database: Databases['meta']): boolean => [...database.getKeys({ limit: 1 })].length === 0

export const newCursorSecret = (): Uint8Array => randomBytes(32)

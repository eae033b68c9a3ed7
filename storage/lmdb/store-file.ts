// Checks a store's files before LMDB maps them. LMDB trusts what it maps: a foreign file, a truncated one, or a lock
// file without write permission would end the process. So this module detects each of these cases first.

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DataError } from '../failures.ts'

export const DATA_FILE = 'data.mdb'
export const LOCK_FILE = 'lock.mdb'

/** One of the two meta records of the file, at the beginning of its first two pages. */
export type StoreMeta = {
  pageBytes: number
  rootPages: number[]
  lastPage: number
  transaction: number
  /** Whether the record was written before the data that it describes was on the disk. */
  isUnsynced: boolean
  /** Identifies the boot of the machine during which the record was written. */
  bootId: number
}

const MAGIC = 0xbeef_c0de
const LMDB_FORMAT = 2
const META_BYTES = 168
const PAGE_BYTES_MIN = 512
const PAGE_BYTES_MAX = 65_536
/** LMDB's mark for an empty tree. */
const NO_PAGE = 2n ** 64n - 1n
/** The file may lack pages at its end that were freed before they were ever written. They are few; more missing bytes
 *  are damage. */
const MISSING_BYTES_MAX = 4 << 20
/** The size that LMDB gives the lock file for 256 readers. */
const LOCK_BYTES = 16_592
/** Flag of a meta page: the page was written before the data that it describes was on the disk. */
const OVERLAPPING_SYNC = 0x1000
const BOOT_ID = '/proc/sys/kernel/random/boot_id'

/** Prepares the files of `path`, the folder of a store, for LMDB. Throws DataError('store_unavailable') if they do not
 *  belong to a store, are damaged, or may not be written; passes on file system errors. */
export function prepareStoreFiles(path: string): void {
  const data = join(path, DATA_FILE)
  const lock = join(path, LOCK_FILE)
  assertWritable(path, constants.R_OK | constants.W_OK | constants.X_OK)
  for (const file of [data, lock]) if (existsSync(file)) assertWritable(file, constants.R_OK | constants.W_OK)
  if (existsSync(data)) assertWhole(data)
  if (!existsSync(lock)) reserveLockFile(path)
}

/** Returns whether the store cannot be opened for reading only: it does not exist yet, or LMDB must go back to what was
 *  on the disk when the machine stopped. */
export function needsWriter(data: string): boolean {
  if (!existsSync(data)) return true
  const meta = readStoreMeta(data)
  return meta === undefined || (meta.isUnsynced && meta.bootId !== bootId())
}

const bootId = () => (existsSync(BOOT_ID) ? Number.parseInt(readFileSync(BOOT_ID, 'latin1'), 16) : null)

/** Returns the newer meta record; undefined for a file that LMDB has created but not written yet. Throws
 *  DataError('store_unavailable'). */
export function readStoreMeta(data: string): StoreMeta | undefined {
  const file = openSync(data, 'r')
  try {
    if (fstatSync(file).size === 0) return undefined
    const first = readMeta(file, 0)
    const second = first && readMeta(file, first.pageBytes)
    if (first === undefined || second === undefined) throw damaged(data)
    return second.transaction > first.transaction ? second : first
  } finally {
    closeSync(file)
  }
}

function readMeta(file: number, offset: number): StoreMeta | undefined {
  const bytes = new Uint8Array(META_BYTES)
  if (readSync(file, bytes, 0, META_BYTES, offset) < META_BYTES) return undefined
  const view = new DataView(bytes.buffer)
  if (view.getUint32(24, true) !== MAGIC) return undefined
  const format = view.getUint32(28, true) & 0xffff
  if (format !== LMDB_FORMAT) {
    const message = `The store's file has LMDB's format ${format}, this program reads ${LMDB_FORMAT}`
    throw new DataError('store_unavailable', `${message}: it was made by another version`)
  }
  const pageBytes = view.getUint32(48, true)
  const isPageSize = pageBytes >= PAGE_BYTES_MIN && pageBytes <= PAGE_BYTES_MAX && (pageBytes & (pageBytes - 1)) === 0
  if (!isPageSize) return undefined
  const roots = [view.getBigUint64(88, true), view.getBigUint64(136, true)].filter((page) => page !== NO_PAGE)
  return {
    pageBytes,
    rootPages: roots.map(Number),
    lastPage: Number(view.getBigUint64(144, true)),
    transaction: Number(view.getBigUint64(152, true)),
    isUnsynced: (view.getUint16(52, true) & OVERLAPPING_SYNC) !== 0,
    bootId: Number(view.getBigInt64(160, true)),
  }
}

function assertWhole(data: string): void {
  const meta = readStoreMeta(data)
  if (meta === undefined) return
  if (meta.rootPages.some((page) => page > meta.lastPage)) throw damaged(data)
  const { rootPages, lastPage, pageBytes } = meta
  const { size } = statSync(data)
  const needed = (lastPage + 1) * pageBytes
  const hasRoots = rootPages.every((page) => (page + 1) * pageBytes <= size)
  if (size < needed && !(hasRoots && needed - size <= MISSING_BYTES_MAX)) {
    const message = `${data} was cut short: it has ${size} of ${needed} bytes`
    throw new DataError('store_unavailable', `${message}. Restore a backup of it`)
  }
  // Reading missing pages through the map would end the process. Values in pages of zeros only fail their checksum.
  if (size < needed) truncateSync(data, needed)
}

const damaged = (data: string) =>
  new DataError(
    'store_unavailable',
    `${data} is not a store of backbook, or its beginning is damaged: name another data folder, or restore a backup`,
  )

function assertWritable(path: string, mode: number): void {
  try {
    accessSync(path, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EROFS') {
      throw new DataError(
        'store_unavailable',
        `Cannot open the store: ${path} is on a read-only file system, and reading a store also writes to it ` +
          '(readers enter themselves in its lock file)',
      )
    }
    if (code !== 'EACCES' && code !== 'EPERM') throw error
    throw new DataError(
      'store_unavailable',
      `Cannot open the store: ${path} may not be read and written by this user; run as ${ownerOf(path)}, who owns it, ` +
        'or give this user the right to (reading needs both: readers enter themselves in the lock file)',
    )
  }
}

const ownerOf = (path: string) => {
  try {
    return `the user with id ${statSync(path).uid}`
  } catch {
    return 'its owner'
  }
}

// LMDB creates the lock file without reserving room on the disk, and writes to it through a map: on a full disk that
// ends the process. The file must appear complete, because other processes may be opening the store too.
function reserveLockFile(path: string): void {
  const draft = join(path, `${LOCK_FILE}.${process.pid}`)
  try {
    writeFileSync(draft, new Uint8Array(LOCK_BYTES), { mode: 0o600 })
    linkSync(draft, join(path, LOCK_FILE))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // On a file system without hard links, LMDB creates the lock file itself.
    if (!['EEXIST', 'EPERM', 'ENOTSUP', 'ENOSYS'].includes(code ?? '')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

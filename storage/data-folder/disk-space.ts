// Distinguishes a full disk from a failing one: LMDB and the file system report both with the same error number.

import { statfsSync } from 'node:fs'
import { constants } from 'node:os'
import { DataError } from '../failures.ts'

const { EDQUOT, EFBIG, EIO, ENOSPC } = constants.errno
/** If fewer bytes than this are free, an EIO error means that the disk is full: the write was cut short. */
const FULL_BELOW_BYTES = 1 << 20

/** Returns the bytes that an unprivileged user can still write in a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Throws DataError('disk_full') if `needed` bytes do not fit. */
export function assertRoom(folder: string, needed: number, what: string): void {
  const free = freeBytes(folder)
  if (free >= needed) return
  const message = `${what} needs ${megabytes(needed)} on the disk of ${folder}, which has ${megabytes(free)} left`
  throw new DataError('disk_full', `${message}: free some space; nothing was changed`)
}

/** Turns an error of the file system or of LMDB while writing to `folder` into one that says what to do. Returns other
 *  errors unchanged. */
export function writeFailure(error: unknown, folder: string): unknown {
  if (error instanceof DataError || !(error instanceof Error)) return error
  const number = errnoOf(error)
  if (number === ENOSPC || number === EDQUOT || (number === EIO && isFull(folder))) {
    const reason = number === EDQUOT ? 'The disk quota of' : 'The disk of'
    const after = 'what was stored before is kept. Free some space and do it again'
    return new DataError('disk_full', `${reason} ${folder} is full: ${after}`)
  }
  if (number !== EIO && number !== EFBIG) return error
  const message = `Cannot write to ${folder} (${error.message}): the disk fails, or a limit of file size or a quota is met`
  return new DataError('store_unavailable', `${message}; what was stored before is kept`)
}

function isFull(folder: string): boolean {
  try {
    return freeBytes(folder) < FULL_BELOW_BYTES
  } catch {
    return false
  }
}

/** Returns the error number of the system; undefined if the error has none. LMDB stores the number in `code`. The
 *  file system stores it in `errno`, with a minus. */
function errnoOf(error: Error): number | undefined {
  const { code, errno } = error as { code?: unknown; errno?: unknown }
  if (typeof code === 'number') return code
  return typeof errno === 'number' ? Math.abs(errno) : undefined
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

// A file that is written once, from start to end, and named by its digest when it is complete.

import { createHash } from 'node:crypto'
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { writeFailure } from '../../storage/data-folder/disk-space.ts'
import { storedName } from './day-file.ts'

/** End of the names of incomplete files. */
export const UNFINISHED = '.tmp'

let filesBegun = 0

export class DigestedFile {
  bytes = 0
  readonly #folder: string
  readonly #path: string
  readonly #file: number
  readonly #hash = createHash('sha256')

  constructor(folder: string) {
    this.#folder = folder
    this.#path = join(folder, `${process.pid}-${threadId}-${filesBegun++}${UNFINISHED}`)
    this.#file = openSync(this.#path, 'wx', 0o600)
  }

  /** Throws DataError('disk_full'). */
  write(bytes: Uint8Array): void {
    this.#hash.update(bytes)
    this.bytes += bytes.length
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done)
    } catch (error) {
      throw writeFailure(error, this.#folder)
    }
  }

  /** Completes the file and returns its digest in hexadecimal digits. */
  finish(): string {
    const sha256 = this.#hash.digest('hex')
    closeSync(this.#file)
    renameSync(this.#path, join(this.#folder, storedName(sha256)))
    return sha256
  }

  abort(): void {
    closeSync(this.#file)
    rmSync(this.#path, { force: true })
  }
}

// Holds blocks that do not fit in memory in a temporary file until their capture is read. The file has no name, so it
// disappears when the process ends for any reason.

import { openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { writeFailure } from '../../storage/data-folder/disk-space.ts'

/** Where bytes were spilled. The file is open for the whole process, so every thread can read them. */
export type SpilledBytes = { file: number; offset: number; length: number }

export class SpillFile {
  readonly #folder: string
  #file: number | undefined
  #length = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Writes bytes, which `readSpilled` reads back. Throws DataError('disk_full'). */
  write(bytes: Uint8Array): SpilledBytes {
    const offset = this.#length
    return { file: this.#append(bytes), offset, length: bytes.length }
  }

  /** Returns the open file, if any, for the caller to close. Later writes open another. */
  release(): number | undefined {
    const file = this.#file
    this.#file = undefined
    this.#length = 0
    return file
  }

  #append(bytes: Uint8Array): number {
    const { length } = bytes
    try {
      this.#file ??= this.#open()
      for (let done = 0; done < length; ) {
        done += writeSync(this.#file, bytes, done, length - done, this.#length + done)
      }
      this.#length += length
      return this.#file
    } catch (error) {
      throw writeFailure(error, this.#folder)
    }
  }

  #open(): number {
    const path = join(this.#folder, `load-${process.pid}-${threadId}-${Date.now()}.tmp`)
    const file = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    return file
  }
}

export function readSpilled({ file, offset, length }: SpilledBytes): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let done = 0; done < length; ) {
    const count = readSync(file, bytes, done, length - done, offset + done)
    if (count === 0) throw new Error('the temporary file of this load is shorter than what was written to it')
    done += count
  }
  return bytes
}

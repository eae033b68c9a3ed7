// A temporary file for blocks that do not fit in memory until their capture is read. It has no name, so that it is gone
// with the process, however that ends.

import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { writeFailure } from '../../storage/disk-space.ts'

export class SpillFile {
  readonly #folder: string
  #file: number | undefined
  #length = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Writes bytes; the function returned reads them again. Throws DataError('disk_full'). */
  write(bytes: Uint8Array): () => Uint8Array {
    const { length } = bytes
    const offset = this.#length
    const file = this.#append(bytes)
    return () => {
      const read = new Uint8Array(length)
      for (let done = 0; done < length; ) {
        const count = readSync(file, read, done, length - done, offset + done)
        if (count === 0) throw new Error('the temporary file of this load is shorter than what was written to it')
        done += count
      }
      return read
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#length = 0
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
    const path = join(this.#folder, `load-${process.pid}-${Date.now()}.tmp`)
    const file = openSync(path, 'w+')
    unlinkSync(path)
    return file
  }
}

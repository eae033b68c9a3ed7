// Files of an export that are written together, each under a temporary name that no reader looks for.

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { writeFailure } from '../../storage/data-folder/disk-space.ts'
import type { NewFile } from '../../workers/export/new-file.ts'

export type WholeFile = { path: string; bytes: number; rows: number; temporary: string }

export class NewFiles {
  readonly #folder: string
  readonly #nextPath: () => string
  readonly #started = new Set<WrittenFile>()

  constructor(folder: string, nextPath: () => string) {
    this.#folder = folder
    this.#nextPath = nextPath
  }

  readonly begin = (): NewFile => {
    const file = new WrittenFile(this.#nextPath(), this.#folder, () => this.#started.delete(file))
    this.#started.add(file)
    return file
  }

  /** Returns the complete files. Throws if one is incomplete. */
  take(): WholeFile[] {
    const whole = Array.from(this.#started, ({ whole }) => {
      if (whole === undefined) throw new Error('a file of an export was neither finished nor aborted')
      return whole
    })
    const paths = whole.map(({ path }) => path)
    if (new Set(paths).size < paths.length) throw new Error(`two files of an export have one path: ${paths.join(', ')}`)
    this.#started.clear()
    return whole
  }

  abort(): void {
    for (const file of this.#started) file.abort()
  }
}

class WrittenFile implements NewFile {
  whole: WholeFile | undefined
  #file: number | undefined
  #bytes = 0
  readonly #temporary: string
  readonly #folder: string
  readonly #onAbort: () => void

  constructor(temporary: string, folder: string, onAbort: () => void) {
    this.#temporary = temporary
    this.#folder = folder
    this.#onAbort = onAbort
    this.#file = openSync(temporary, 'wx')
  }

  /** Throws DataError('disk_full'). */
  write(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file!, bytes, done)
    } catch (error) {
      throw writeFailure(error, this.#folder)
    }
    this.#bytes += bytes.length
  }

  finish(path: string, rows: number): void {
    try {
      fsyncSync(this.#file!)
    } catch (error) {
      throw writeFailure(error, this.#folder)
    }
    this.#close()
    this.whole = { path, bytes: this.#bytes, rows, temporary: this.#temporary }
  }

  abort(): void {
    this.#close()
    rmSync(this.#temporary, { force: true })
    this.#onAbort()
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}

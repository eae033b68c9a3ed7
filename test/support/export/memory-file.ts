// Files of an export in memory, and whether each was completed or discarded.

import type { NewFile } from '../../../workers/export/new-file.ts'

export class MemoryNewFile implements NewFile {
  readonly #pieces: Uint8Array[] = []
  path: string | undefined
  rows = 0
  isAborted = false

  write(bytes: Uint8Array): void {
    this.#pieces.push(bytes.slice())
  }

  finish(path: string, rows: number): void {
    this.path = path
    this.rows = rows
  }

  abort(): void {
    this.isAborted = true
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.concat(this.#pieces))
  }
}

export class MemoryFiles {
  readonly all: MemoryNewFile[] = []

  readonly begin = (): NewFile => {
    this.all.push(new MemoryNewFile())
    return this.all.at(-1)!
  }

  /** Returns the completed file whose path contains this text. */
  named(text: string): MemoryNewFile {
    return this.all.find(({ path }) => path?.includes(text))!
  }
}

// The temporary folders of a test file: made one by one, and removed together.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export class TemporaryFolders {
  #made: string[] = []

  make(): string {
    const folder = mkdtempSync(join(tmpdir(), 'backbook-'))
    this.#made.push(folder)
    return folder
  }

  remove(): void {
    for (const folder of this.#made) rmSync(folder, { recursive: true, force: true })
    this.#made = []
  }
}

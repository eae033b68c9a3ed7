// Holds the files of a data folder in memory. A folder takes long to make, so each process makes it once, and writes
// a copy for each test.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LOCK_FILE } from '../../../storage/lmdb/store-file.ts'

export type FolderFiles = ReadonlyMap<string, Uint8Array>

/** Reads all files of a folder whose stores are closed. Skips lock files, because they name processes. */
export function readFolder(folder: string): FolderFiles {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => !name.endsWith(LOCK_FILE) && statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]))
}

/** Writes files with access for their owner only, like a store. */
export function writeFolder(folder: string, files: FolderFiles): void {
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, name), bytes, { mode: 0o600 })
  }
}

// Checks the files of a backup against its manifest: each exists, is a regular file, and has its size and checksum.

import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type Digest, digestFile } from './file-digest.ts'
import { BackupError, type BackupFile } from './manifest.ts'

type Files = { files: readonly BackupFile[] }

export const bytesOf = ({ files }: Files): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** Reads all files. Throws BackupError for one that is missing, truncated or changed. */
export const checkFiles = (
  backup: string,
  manifest: Files,
  onProgress: (bytes: number, ofBytes: number) => void,
): Promise<void> => eachFile(manifest, onProgress, (file, onBytes) => checkFile(backup, file, onBytes))

export async function eachFile(
  manifest: Files,
  onProgress: (bytes: number, ofBytes: number) => void,
  run: (file: BackupFile, onBytes: (bytes: number) => void) => Promise<void>,
): Promise<void> {
  const total = bytesOf(manifest)
  let done = 0
  for (const file of manifest.files) {
    await run(file, (bytes) => {
      done += bytes
      onProgress(done, total)
    })
  }
}

async function checkFile(backup: string, file: BackupFile, onBytes: (bytes: number) => void): Promise<void> {
  const path = join(backup, file.path)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new BackupError(`${backup} is incomplete: ${file.path} is missing`)
  assertIsItself(backup, file.path, found.isFile())
  const { size } = found
  if (size !== file.bytes) {
    throw new BackupError(`${backup} is damaged: ${file.path} has ${size} bytes, the manifest says ${file.bytes}`)
  }
  assertSame(backup, file, await digestFile(path, onBytes))
}

/** Throws BackupError unless `file` is a regular file in the backup, reached without a link. A link would make files of
 *  this machine part of the restored data, and reading a pipe would never end. */
function assertIsItself(backup: string, file: string, isFile: boolean): void {
  if (isFile && realpathSync(join(backup, file)) === join(realpathSync(backup), file)) return
  throw new BackupError(`${backup} is damaged: ${file} is a link or no file, and a backup has only files`)
}

export function assertSame(backup: string, file: BackupFile, { bytes, sha256 }: Digest): void {
  if (bytes === file.bytes && sha256 === file.sha256) return
  throw new BackupError(`${backup} is damaged: ${file.path} does not match its checksum`)
}

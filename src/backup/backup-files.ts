// Checks the files of a backup against its manifest: each exists, is a regular file, and has its size and checksum.

import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError, EXIT } from '../command-error.ts'
import { copyFileWithDigest, digestFile } from './file-digest.ts'
import type { BackupFile } from './manifest.ts'

type Files = { files: readonly BackupFile[] }

export const bytesOf = ({ files }: Files): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** Throws CommandError for a file that is missing or has another size. Reads no content. */
export function assertComplete(backup: string, { files }: Files): void {
  for (const { path, bytes } of files) {
    const found = lstatSync(join(backup, path), { throwIfNoEntry: false })
    if (found === undefined) throw new CommandError(`${backup} is incomplete: ${path} is missing`, EXIT.failed)
    assertIsItself(backup, path, found.isFile())
    if (found.size === bytes) continue
    throw new CommandError(
      `${backup} is damaged: ${path} has ${found.size} bytes, the manifest says ${bytes}`,
      EXIT.failed,
    )
  }
}

/** Reads all files, and copies them to the folder `into` unless it is null. Throws CommandError if a file has
 *  changed. */
export async function readFiles(
  backup: string,
  manifest: Files,
  into: string | null,
  onProgress: (bytes: number, ofBytes: number) => void,
): Promise<void> {
  const total = bytesOf(manifest)
  let done = 0
  const onBytes = (bytes: number) => {
    done += bytes
    onProgress(done, total)
  }
  for (const file of manifest.files) {
    const { bytes, sha256 } = await readFile(join(backup, file.path), into && join(into, file.path), onBytes)
    if (bytes === file.bytes && sha256 === file.sha256) continue
    throw new CommandError(`${backup} is damaged: ${file.path} does not match its checksum`, EXIT.failed)
  }
}

function readFile(from: string, to: string | null, onBytes: (bytes: number) => void) {
  if (to === null) return digestFile(from, onBytes)
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  return copyFileWithDigest(from, to, onBytes)
}

/** Throws CommandError unless `file` is a regular file in the backup, reached without a link. A link would make files of
 *  this machine part of the restored data, and reading a pipe would never end. */
function assertIsItself(backup: string, file: string, isFile: boolean): void {
  if (isFile && realpathSync(join(backup, file)) === join(realpathSync(backup), file)) return
  throw new CommandError(`${backup} is damaged: ${file} is a link, a folder or a special file`, EXIT.failed)
}

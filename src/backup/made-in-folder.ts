// A folder that has its name only when it is whole and on the disk: until then it is called `.NAME.partial-PID`.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { writeFailure } from '../../storage/data-folder/disk-space.ts'
import { syncFolder, writeDurably } from '../../storage/data-folder/replacement.ts'
import { MANIFEST_FILE, TargetTaken } from './manifest.ts'

/** `make` fills the folder; the manifest is written last. Rejects with TargetTaken where the target exists; nothing is
 *  left of it then. */
export async function madeInFolder<T>(
  target: string,
  make: (partial: string) => Promise<{ manifest: object; made: T }>,
): Promise<T> {
  const backup = resolve(target)
  if (existsSync(backup)) throw new TargetTaken(`${target} exists already: name a folder that does not`)
  mkdirSync(dirname(backup), { recursive: true })
  const partial = join(dirname(backup), `.${basename(backup)}.partial-${process.pid}`)
  rmSync(partial, { recursive: true, force: true })
  try {
    mkdirSync(partial, { mode: 0o700 })
    const { manifest, made } = await make(partial)
    writeDurably(join(partial, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`)
    syncFolder(partial)
    if (existsSync(backup)) throw new TargetTaken(`${target} was made by somebody else meanwhile`)
    renameSync(partial, backup)
    syncFolder(dirname(backup))
    return made
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw writeFailure(error, dirname(backup))
  }
}

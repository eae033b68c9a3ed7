// Caches data that is built once, in a folder within the system's temporary folder. The folder is named after
// everything that the data is made from.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checksum } from '../measure/checksum.ts'

const CACHE = join(tmpdir(), 'backbook-bench')
/** Maximum number of folders kept for each name, so that revisions under comparison have their own. */
const FOLDERS_MAX = 4

/** Returns the folder with the data that `make` wrote, now or earlier. `key` identifies what the data is made from. */
export async function cached(name: string, key: unknown, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, `${name}-${checksum(JSON.stringify([name, key]))}`)
  if (!existsSync(folder)) {
    // Builds in a folder with another name, which is renamed when the data is complete, so that an interrupted bench
    // leaves nothing half-made.
    const unfinished = `${folder}.${process.pid}`
    mkdirSync(unfinished, { recursive: true })
    await make(unfinished)
    if (existsSync(folder)) rmSync(unfinished, { recursive: true })
    else renameSync(unfinished, folder)
    removeOld(name)
  }
  const now = new Date()
  utimesSync(folder, now, now)
  return folder
}

function removeOld(name: string): void {
  const isOfName = (entry: string) =>
    entry.startsWith(`${name}-`) && /^[0-9a-f]{16}$/.test(entry.slice(name.length + 1))
  const folders = readdirSync(CACHE).filter(isOfName)
  const usedMs = (entry: string) => statSync(join(CACHE, entry)).mtimeMs
  const old = folders.sort((a, b) => usedMs(b) - usedMs(a)).slice(FOLDERS_MAX)
  for (const entry of old) rmSync(join(CACHE, entry), { recursive: true, force: true })
}

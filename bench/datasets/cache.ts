// Data that is built once: a folder in the system's temporary folder, named after everything that made it.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checksum } from '../measure/checksum.ts'

const CACHE = join(tmpdir(), 'backbook-bench')
/** Of each name: other revisions that are being compared have theirs. */
const KEPT = 4

/** The folder in which `make` has put its data, now or before. `key` names what it is made from. */
export async function cached(name: string, key: unknown, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, `${name}-${checksum(JSON.stringify([name, key]))}`)
  if (!existsSync(folder)) {
    // Under another name until it is whole: a bench that is ended meanwhile leaves nothing half-made.
    const unfinished = `${folder}.${process.pid}`
    mkdirSync(unfinished, { recursive: true })
    await make(unfinished)
    if (existsSync(folder)) rmSync(unfinished, { recursive: true })
    else renameSync(unfinished, folder)
    forgetOld(name)
  }
  const now = new Date()
  utimesSync(folder, now, now)
  return folder
}

function forgetOld(name: string): void {
  const isOfName = (entry: string) =>
    entry.startsWith(`${name}-`) && /^[0-9a-f]{16}$/.test(entry.slice(name.length + 1))
  const folders = readdirSync(CACHE).filter(isOfName)
  const usedMs = (entry: string) => statSync(join(CACHE, entry)).mtimeMs
  const old = folders.sort((a, b) => usedMs(b) - usedMs(a)).slice(KEPT)
  for (const entry of old) rmSync(join(CACHE, entry), { recursive: true, force: true })
}

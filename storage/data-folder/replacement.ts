// Replaces several entries of a data folder in one step. The new entries are prepared in a folder of their own;
// renaming that folder to a known name is the step. The next process that opens the data folder, even after a kill,
// moves the entries into place before it reads anything.

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DataError } from '../failures.ts'

const COMMITTED = '.replacing'
const CLAIM = 'claimed-by'
const NEW = 'new'
const WAIT_MS = 20
const WAIT_MS_MAX = 10_000
/** An empty claim is either still being written, or its writer died first. After this time it counts as dead. */
const EMPTY_CLAIM_MS = 2_000

/** Creates a folder for the new entries. It has no effect until it is committed. Also removes older folders of this
 *  kind that belong to this process or to processes that have ended. */
export function beginReplacement(folder: string): { staged: string; path: string } {
  for (const entry of readdirSync(folder)) {
    const pid = Number(/^\.replacing-([0-9]+)-/.exec(entry)?.[1] ?? 0)
    if (pid > 0 && (pid === process.pid || !isAlive(pid))) rmSync(join(folder, entry), { recursive: true })
  }
  const staged = join(folder, `.replacing-${process.pid}-${Date.now()}`)
  mkdirSync(join(staged, NEW), { recursive: true, mode: 0o700 })
  return { staged, path: join(staged, NEW) }
}

export type ReplacementPlan = { aside: string; without: string[] }

/** Moves every staged entry into place. Moves the entries that they replace, and those in `without`, to `aside`, a name
 *  in the data folder. All staged files must be on the disk already. Calls `assertFree` once other processes can see
 *  the replacement: if it throws, nothing is replaced. */
export function commitReplacement(
  folder: string,
  staged: string,
  plan: ReplacementPlan,
  assertFree: () => void = () => undefined,
): void {
  writeDurably(join(staged, 'plan.json'), JSON.stringify(plan))
  syncFolder(staged)
  renameSync(staged, join(folder, COMMITTED))
  try {
    assertFree()
  } catch (error) {
    renameSync(join(folder, COMMITTED), staged)
    throw error
  }
  syncFolder(folder)
  finishReplacement(folder)
}

/** Returns whether a replacement is in progress, or waits to be finished. */
export const isReplacing = (folder: string): boolean => existsSync(join(folder, COMMITTED))

/** Finishes a replacement that a killed process had committed. If there is none, this costs one look at the folder. */
export function finishReplacement(folder: string): void {
  const committed = join(folder, COMMITTED)
  for (const deadlineMs = performance.now() + WAIT_MS_MAX; existsSync(committed); sleep()) {
    if (claim(committed)) return finish(folder, committed)
    if (performance.now() < deadlineMs) continue
    const message = `Another process is putting a restored backup in place in ${folder}`
    throw new DataError('store_unavailable', `${message}; if none is, remove ${join(committed, CLAIM)} and try again`)
  }
}

function finish(folder: string, committed: string): void {
  const { aside, without } = JSON.parse(readFileSync(join(committed, 'plan.json'), 'utf8')) as {
    aside: string
    without: string[]
  }
  const entries = readdirSync(join(committed, NEW)).sort()
  for (const entry of [...without, ...entries]) {
    const place = join(folder, entry)
    if (!existsSync(place)) continue
    mkdirSync(join(folder, aside), { recursive: true, mode: 0o700 })
    renameSync(place, join(folder, aside, entry))
  }
  for (const entry of entries) renameSync(join(committed, NEW, entry), join(folder, entry))
  syncFolder(folder)
  // Renames the folder first, because removal takes several steps. If it stopped after the first step, the replacement
  // could not be finished again.
  const done = join(folder, `.replacing-${process.pid}-done`)
  renameSync(committed, done)
  rmSync(done, { recursive: true })
}

/** Returns whether this process is the one that finishes the replacement. Takes over the claim of a dead process. */
function claim(committed: string): boolean {
  const path = join(committed, CLAIM)
  try {
    const file = openSync(path, 'wx')
    writeSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    if (code !== 'EEXIST') throw error
  }
  if (isClaimAlive(path)) return false
  try {
    // If several processes see the dead claim, only one of them can rename it.
    renameSync(path, `${path}-${process.pid}`)
  } catch {
    return false
  }
  return claim(committed)
}

function isClaimAlive(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    // Takes the absolute difference. Otherwise an old claim would look new for a long time if the clock was set back.
    if (pid === 0) return Math.abs(Date.now() - statSync(path).mtimeMs) < EMPTY_CLAIM_MS
    return pid !== process.pid && isAlive(pid)
  } catch {
    return true
  }
}

/** Returns whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const sleep = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)

/** Writes a new file and returns when all of it is on the disk. */
export function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
  fsyncSync(file)
  closeSync(file)
}

/** Makes the names in a folder survive a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Makes the content of a file survive a power cut. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

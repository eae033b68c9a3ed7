// Several entries of a data folder replaced as if by one step. What is new is made complete in a folder of its own;
// renaming that folder to a name that is looked for is the step. Whoever opens the data folder next, and be it after a
// kill, moves what is in it to its place before anything is read.

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
/** A claim without a number in it is being written, or its writer died before it was. */
const EMPTY_CLAIM_MS = 2_000

/** A folder to put the new entries in. Until it is committed it means nothing, and the next one to begin removes it
 *  where its process has ended. */
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

/** Puts every entry of the staged folder in its place; what stood there, and what stands under `without`, goes to
 *  `aside`, a name in the data folder. Everything staged must be on the disk already. `assertFree` is asked when whoever
 *  opens the folder sees what is going on: where it throws, nothing is replaced. */
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

/** Whether something is put in its place at this moment, or waits for somebody to finish that. */
export const isReplacing = (folder: string): boolean => existsSync(join(folder, COMMITTED))

/** Finishes what a killed process had committed. Costs one look at the folder where there is nothing to finish. */
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
  // Removing takes several steps, after the first of which it could not be finished again.
  const done = join(folder, `.replacing-${process.pid}-done`)
  renameSync(committed, done)
  rmSync(done, { recursive: true })
}

/** Whether this process is the one that finishes. A dead one's claim is taken over. */
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
    // Of several that see the dead claim, one renames it.
    renameSync(path, `${path}-${process.pid}`)
  } catch {
    return false
  }
  return claim(committed)
}

function isClaimAlive(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    // A clock that was set back since makes it look as if it were still to be written.
    if (pid === 0) return Math.abs(Date.now() - statSync(path).mtimeMs) < EMPTY_CLAIM_MS
    return pid !== process.pid && isAlive(pid)
  } catch {
    return true
  }
}

/** Whether a process has this number now. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const sleep = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)

/** Writes a file that is whole and on the disk when this returns. */
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

// The program as a process that is killed with -9: at a moment of its run, or just after it wrote to a file.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../../workers/synthetic/random.ts'

const MAIN = join(import.meta.dir, '../../../../src/main.ts')
/** How far behind a write the kill may fall: a commit and the write of its page of meta data are that close. */
const BEHIND_WRITE_MS = 4

export type Started = {
  child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  /** All of stderr, when it has ended. */
  err: Promise<string>
}

export function startProgram(words: readonly string[], env: Record<string, string> = {}): Started {
  const environment = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'error', ...env }
  const child = Bun.spawn([process.execPath, MAIN, ...words], { env: environment, stdout: 'pipe', stderr: 'pipe' })
  return { child, err: child.stderr.text() }
}

/** Runs to the end. Throws where that is no success. */
export async function runProgram(words: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const startMs = performance.now()
  const { child, err } = startProgram(words, env)
  const out = await child.stdout.text()
  const exitCode = await child.exited
  if (exitCode !== 0) throw new Error(`${words.join(' ')} ended with ${exitCode}: ${await err}${out}`)
  usualMs.set(words[0]!, performance.now() - startMs)
  return out
}

/** What each command took when nobody killed it: a kill falls somewhere within. */
const usualMs = new Map<string, number>()
const UNKNOWN_MS = 400

/** Kills right behind one of the first changes of a file, not at any moment. */
export type Behind = { path: string; changesMax: number }

/** Whether it was killed before it had ended by itself. Throws where it failed by itself. */
export async function runAndKill(words: readonly string[], random: Random, behind?: Behind): Promise<boolean> {
  const { child, err } = startProgram(words)
  const laterMs = random.fraction() * (usualMs.get(words[0]!) ?? UNKNOWN_MS)
  if (behind === undefined) await Promise.race([Bun.sleep(laterMs), child.exited])
  else await untilChanged(child, behind, random)
  child.kill('SIGKILL')
  await child.exited
  if (child.signalCode === 'SIGKILL') return true
  if (child.exitCode !== 0) throw new Error(`${words.join(' ')} ended with ${child.exitCode}: ${await err}`)
  return false
}

async function untilChanged(child: Started['child'], { path, changesMax }: Behind, random: Random) {
  const changes = random.between(1, changesMax)
  let seen = versionOf(path)
  for (let change = 0; change < changes && child.exitCode === null; ) {
    const now = versionOf(path)
    if (now === seen) await new Promise((resolve) => setImmediate(resolve))
    else change++
    seen = now
  }
  Bun.sleepSync(random.fraction() * BEHIND_WRITE_MS)
}

function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`
}

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
  const { child, err } = startProgram(words, env)
  const out = await child.stdout.text()
  const exitCode = await child.exited
  if (exitCode !== 0) throw new Error(`${words.join(' ')} ended with ${exitCode}: ${await err}${out}`)
  return out
}

export type Kill = {
  /** What it takes when nobody kills it, about. */
  usualMs: number
  /** Kills right behind one of the first changes of this file, not at any moment. */
  behind?: string
}

/** Whether it was killed before it had ended by itself. Throws where it failed by itself. */
export async function runAndKill(words: readonly string[], random: Random, kill: Kill): Promise<boolean> {
  const { child, err } = startProgram(words)
  if (kill.behind === undefined) await Promise.race([Bun.sleep(random.fraction() * kill.usualMs), child.exited])
  else await untilChanged(child, kill.behind, random)
  child.kill('SIGKILL')
  await child.exited
  if (child.signalCode === 'SIGKILL') return true
  if (child.exitCode !== 0) throw new Error(`${words.join(' ')} ended with ${child.exitCode}: ${await err}`)
  return false
}

async function untilChanged(child: Started['child'], path: string, random: Random): Promise<void> {
  const changes = random.between(1, 4)
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

// Runs the program as a process and kills it with -9: at a moment of its run, or just after it wrote to a file.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../../workers/synthetic/random.ts'

const MAIN = join(import.meta.dir, '../../../../src/main.ts')
/** Maximum time from a write to the kill, ms. A commit writes its data and its meta page about this far apart. */
const BEHIND_WRITE_MS = 4

export type Started = {
  child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  /** Resolves to all of stderr, when the process has ended. */
  err: Promise<string>
}

/** Starts the program. `before` is the command that runs it, such as `faketime`. */
export function startProgram(
  words: readonly string[],
  env: Record<string, string> = {},
  before: readonly string[] = [],
): Started {
  const environment = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'error', ...env }
  const child = Bun.spawn([...before, process.execPath, MAIN, ...words], {
    env: environment,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return { child, err: child.stderr.text() }
}

/** Runs the program to its end. Throws if it fails. */
export async function runProgram(
  words: readonly string[],
  env: Record<string, string> = {},
  before: readonly string[] = [],
): Promise<string> {
  const startMs = performance.now()
  const { child, err } = startProgram(words, env, before)
  const out = await child.stdout.text()
  const exitCode = await child.exited
  if (exitCode !== 0) throw new Error(`${words.join(' ')} ended with ${exitCode}: ${await err}${out}`)
  usualMs.set(words[0]!, performance.now() - startMs)
  return out
}

/** Duration of each command if it is not killed, ms. A kill at a random moment is within this time. */
const usualMs = new Map<string, number>()
const UNKNOWN_MS = 400

/** A kill right after one of the first `changesMax` changes of a file. */
export type Behind = { path: string; changesMax: number }
/** When the program is killed: at any moment of the run, after its first output, or after a change of a file. */
export type KillMoment = 'any' | 'output' | Behind

/** `out`: the program's stdout before it ended. */
export type KilledRun = { isKilled: boolean; out: string }

/** Runs the program and kills it, unless it ends first. Throws if it fails by itself. */
export async function runAndKill(
  words: readonly string[],
  random: Random,
  moment: KillMoment = 'any',
): Promise<KilledRun> {
  const { child, err } = startProgram(words)
  const { begun, all } = read(child.stdout)
  const laterMs = random.fraction() * (usualMs.get(words[0]!) ?? UNKNOWN_MS)
  if (moment === 'any') await Promise.race([Bun.sleep(laterMs), child.exited])
  else if (moment === 'output') await begun
  else await untilChanged(child, moment, random)
  child.kill('SIGKILL')
  await child.exited
  const out = await all
  if (child.signalCode === 'SIGKILL') return { isKilled: true, out }
  if (child.exitCode !== 0) throw new Error(`${words.join(' ')} ended with ${child.exitCode}: ${await err}`)
  return { isKilled: false, out }
}

/** Reads a stream. `begun` resolves when the first bytes have arrived or the stream has ended. */
function read(stream: ReadableStream<Uint8Array>): { begun: Promise<void>; all: Promise<string> } {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const all = (async () => {
    let text = ''
    for await (const bytes of stream) {
      text += new TextDecoder().decode(bytes)
      resolve()
    }
    resolve()
    return text
  })()
  return { begun, all }
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

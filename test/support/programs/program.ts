// Runs the program as its users do: a command in this process, or the program as a separate process.

import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { Terminal } from '../../../src/commands/terminal/terminal.ts'
import { runCommand } from '../../../src/run-command.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')
/** Commands that run until they are stopped, and write to the streams of the process. */
const OF_A_PROCESS = ['serve', 'record', 'mcp', 'demo']

export type Ended = { exitCode: number; out: string; err: string }
type Env = Record<string, string>

/** Runs a command in this process. Starts a separate process if the command serves or needs its own `cwd`. Its
 *  environment is only `env`. */
export function runBackbook(
  words: readonly string[],
  { cwd, env = {} }: { cwd?: string | undefined; env?: Env } = {},
): Promise<Ended> {
  const needsProcess = cwd !== undefined || OF_A_PROCESS.includes(words[0] ?? '')
  return needsProcess ? runProcess(words, { cwd, env }) : runHere(words, env)
}

/** Runs a command that writes the file after `-o` to `folder`. Messages name the file as `words` does. */
export async function runWritingTo(folder: string, words: readonly string[]): Promise<Ended> {
  const isFile = (word: string, index: number) => words[index - 1] === '-o' && /^\w/.test(word)
  const ended = await runBackbook(words.map((word, index) => (isFile(word, index) ? join(folder, word) : word)))
  return { ...ended, err: ended.err.replaceAll(`${folder}/`, '') }
}

async function runHere(words: readonly string[], env: Env): Promise<Ended> {
  const [stdout, stderr] = [collector(), collector()]
  const terminal = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream, env }
  const exitCode = await runCommand(words, terminal as unknown as Terminal)
  return { out: stdout.text(), err: stderr.text(), exitCode }
}

function collector() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** Runs the program as a process. It gets only `env`, and no settings of this machine. */
export async function runProcess(
  words: readonly string[],
  { cwd, env = {} }: { cwd?: string | undefined; env?: Env } = {},
): Promise<Ended> {
  const environment = { PATH: process.env['PATH'] ?? '', ...env }
  const command = [process.execPath, MAIN, ...words]
  const child = Bun.spawn(command, { ...(cwd ? { cwd } : {}), env: environment, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { out, err, exitCode }
}

/** Runs a line in a shell in which `backbook` is the program. */
export async function runInShell(line: string, cwd: string): Promise<Ended> {
  const script = `set -o pipefail; backbook() { '${process.execPath}' '${MAIN}' "$@"; }; ${line}`
  const child = Bun.spawn(['bash', '-c', script], { cwd, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { out, err, exitCode }
}

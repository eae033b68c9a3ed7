// The program itself as a process, as its users run it.

import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../../src/main.ts')

export type Ended = { exitCode: number; out: string; err: string }

/** Settings of this machine do not reach it, only `env`. */
export async function runBackbook(
  words: readonly string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const environment = { PATH: process.env['PATH'] ?? '', ...env }
  const command = [process.execPath, MAIN, ...words]
  const child = Bun.spawn(command, { ...(cwd ? { cwd } : {}), env: environment, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { out, err, exitCode }
}

/** What a shell makes of a line in which `backbook` is the program. */
export async function runInShell(line: string, cwd: string): Promise<Ended> {
  const script = `set -o pipefail; backbook() { '${process.execPath}' '${MAIN}' "$@"; }; ${line}`
  const child = Bun.spawn(['bash', '-c', script], { cwd, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { out, err, exitCode }
}

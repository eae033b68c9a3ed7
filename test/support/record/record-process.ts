// Runs the recorder as its users do: as a process, on its own folder.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readStatus, type SeenRecorder } from '../../../src/record/status/status-file.ts'
import { TemporaryFolders } from '../disk/temporary-folders.ts'
import { runBackbook } from '../programs/program.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')
const SOON_MS = 30_000

const folders = new TemporaryFolders()

export const emptyFolder = (): string => folders.make()

/** Writes record.toml into a folder, and returns its path. */
export function recordToml(folder: string, text: string): string {
  const path = join(folder, 'record.toml')
  writeFileSync(path, text)
  return path
}

const started: Bun.Subprocess[] = []

/** Ends recorders that failed tests left running, and removes all folders. */
export async function endRecorders(): Promise<void> {
  for (const child of started) child.kill('SIGKILL')
  await Promise.all(started.map(({ exited }) => exited))
  folders.remove()
}

export const recordProcess = (data: string, config: string, ...words: string[]) =>
  recordProcessWith([], data, config, ...words)

/** Starts a recorder. `flags` are options of the runtime. */
export function recordProcessWith(flags: string[], data: string, config: string, ...words: string[]) {
  const command = [process.execPath, ...flags, MAIN, 'record', '--data', data, '--config', config, ...words]
  const env = { PATH: process.env['PATH'] ?? '' }
  const child = Bun.spawn(command, { env, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })
  started.push(child)
  const output = Promise.all([child.stdout.text(), child.stderr.text()])
  const ended = async () => {
    const exitCode = await child.exited
    const [out, err] = await output
    return { exitCode, out, err }
  }
  return {
    pid: child.pid,
    ended,
    async stop() {
      child.kill('SIGTERM')
      return await ended()
    },
    async kill() {
      child.kill('SIGKILL')
      return await ended()
    },
  }
}

/** Waits until the status of the recorder meets a condition. */
export async function seenOf(data: string, isSo: (seen: SeenRecorder) => boolean): Promise<SeenRecorder> {
  const untilMs = performance.now() + SOON_MS
  for (;;) {
    const seen = readStatus(data, Date.now())
    if (seen !== null && isSo(seen)) return seen
    if (performance.now() > untilMs) throw new Error(`the recorder says ${JSON.stringify(seen)}`)
    await Bun.sleep(20)
  }
}

export type StoredRecord = { type: string; timestamp: number; msg: Record<string, unknown> }

/** Returns the stored records of a market, as the program prints them. */
export async function storedRecords(data: string, venue: string, market: string): Promise<StoredRecord[]> {
  const { out, err, exitCode } = await runBackbook(['export', '--data', data, '--venue', venue, '--market', market])
  if (exitCode !== 0) throw new Error(err)
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StoredRecord)
}

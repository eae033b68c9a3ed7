// The temporary folder of a torture run, named after its process, and the process group of the run.

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isAlive } from '../../storage/data-folder/durable-file.ts'

const NAME = /^backbook-torture-([0-9]+)-\w+$/

export function makeRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `backbook-torture-${process.pid}-`))
  // PostgreSQL runs as another user, and its folder is inside this one.
  chmodSync(folder, 0o711)
  return folder
}

/** Removes the folders of runs that were killed before they could clean up. Kills the processes that still use them. */
export function sweepRunFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0)
    if (pid === 0 || isAlive(pid)) continue
    const folder = join(tmpdir(), name)
    for (const left of processesOn(folder)) process.kill(left, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Returns our processes that have an argument within the folder; none without /proc. */
export function processesOn(folder: string): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && argumentsOf(pid).some((word) => word.startsWith(`${folder}/`)))
  } catch {
    return []
  }
}

function argumentsOf(pid: number): string[] {
  try {
    const [program, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return program === process.execPath ? words : []
  } catch {
    return []
  }
}

/** Kills all remaining processes of a group at once. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is empty already.
  }
}

/** Whether temporary files go into the folder of a run, which removes the folder with everything in it. */
export const isInRunFolder = (): boolean => NAME.test(basename(tmpdir()))

/** Kills the group of this process, itself included, and then removes the folder of its run. A detached shell does
 *  this, because it survives the kill. Does nothing outside a run folder, because other programs may use the folder for
 *  temporary files. */
export function endGroup(): void {
  if (!isInRunFolder()) return
  const script = 'kill -s KILL -- "-$1"; sleep 0.5; rm -rf "$2"'
  Bun.spawn(['sh', '-c', script, 'sh', String(process.pid), tmpdir()], {
    stdio: ['ignore', 'ignore', 'ignore'],
    detached: true,
  })
}

// The temporary folder of a run of the torture, named for its process, and the group of processes that the run is.

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isAlive } from '../../storage/data-folder/durable-file.ts'

const NAME = /^backbook-torture-([0-9]+)-\w+$/

export function makeRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `backbook-torture-${process.pid}-`))
  // PostgreSQL runs as a user of its own, and its folder is in here.
  chmodSync(folder, 0o711)
  return folder
}

/** Folders of runs that were killed before they could clean up, and what still runs on them. */
export function sweepRunFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0)
    if (pid === 0 || isAlive(pid)) continue
    const folder = join(tmpdir(), name)
    for (const left of processesOn(folder)) process.kill(left, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Processes of ours, by an argument within the folder; none where there is no /proc to look in. */
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

/** All of a group that is left, at once. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is empty.
  }
}

/** Whether temporary files go into the folder of a run, which is removed with all that is in it. */
export const isInRunFolder = (): boolean => NAME.test(basename(tmpdir()))

/** Kills the group of this process, itself included, and then removes the folder of its run. A detached shell does
 *  this, because it survives the kill. Does nothing outside a run folder: the folder for temporary files may be
 *  shared. */
export function endGroup(): void {
  if (!isInRunFolder()) return
  const script = 'kill -s KILL -- "-$1"; sleep 0.5; rm -rf "$2"'
  Bun.spawn(['sh', '-c', script, 'sh', String(process.pid), tmpdir()], {
    stdio: ['ignore', 'ignore', 'ignore'],
    detached: true,
  })
}

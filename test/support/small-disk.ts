// A file system of a few megabytes, or one that cannot be written, for a process that a test starts. It is mounted in a
// namespace of that process alone, so nothing is left of it and no privilege is needed where the kernel allows that.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const UNSHARE = ['unshare', '--map-root-user', '--mount', 'sh', '-c']

/** Whether this machine allows such mounts; tests that need them are skipped elsewhere, and say so. */
export const canMount = (() => {
  if (Bun.which('unshare') === null) return false
  const folder = mkdtempSync(join(tmpdir(), 'backbook-mount-'))
  const { exitCode } = Bun.spawnSync([...UNSHARE, `mount -t tmpfs -o size=1m tmpfs '${folder}'`])
  rmSync(folder, { recursive: true })
  return exitCode === 0
})()

export type Ended = { out: string; err: string; exitCode: number }

/** Runs TypeScript, whose first argument is the folder that has a disk of `megabytes` of its own. */
export async function onSmallDisk(megabytes: number, script: string, words: string[] = []): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-disk-'))
  try {
    const mount = `mount -t tmpfs -o size=${megabytes}m tmpfs '${folder}'`
    return await ended(
      Bun.spawn([...UNSHARE, `${mount} && exec "$@"`, 'sh', ...typeScript(script, folder, words)], PIPES),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs TypeScript, whose first argument is the folder, which cannot be written. */
export async function onReadOnlyDisk(folder: string, script: string): Promise<Ended> {
  const mount = `mount --bind '${folder}' '${folder}' && mount -o remount,ro,bind '${folder}'`
  return ended(Bun.spawn([...UNSHARE, `${mount} && exec "$@"`, 'sh', ...typeScript(script, folder, [])], PIPES))
}

const PIPES = { stdout: 'pipe', stderr: 'pipe' } as const
const typeScript = (script: string, folder: string, words: string[]) => [
  process.execPath,
  '-e',
  script,
  folder,
  ...words,
]

async function ended(child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>): Promise<Ended> {
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { out, err, exitCode }
}

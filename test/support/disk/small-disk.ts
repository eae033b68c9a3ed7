// Starts a process with a file system of a few megabytes, or with a read-only one. The file system is mounted in a
// namespace of that process, so it ends with the process. Most kernels allow such mounts without privileges.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPresent } from '../../run/missing.ts'

const UNSHARE = ['unshare', '--map-root-user', '--mount', 'sh', '-c']

/** Makes a disk at "$1/disk". A write to TRIGGER breaks the disk. */
const MAKE_DISK = `
  mkdir "$1/disk" && truncate -s 64M "$1/image" && mkfs.ext4 -q "$1/image" || exit 9
  mount -o loop,errors=remount-ro "$1/image" "$1/disk" || exit 9
  LOOP=$(losetup -n -O NAME -j "$1/image"); TRIGGER=/sys/fs/ext4/\${LOOP#/dev/}/trigger_fs_error;`

/** Whether this machine allows mounts in a namespace. Elsewhere, tests that need them are listed as skipped. */
export const canMount = isPresent(hasMounts(), 'mounts in a namespace (unshare)')

function hasMounts(): boolean {
  if (Bun.which('unshare') === null) return false
  const folder = mkdtempSync(join(tmpdir(), 'backbook-mount-'))
  const { exitCode } = Bun.spawnSync([...UNSHARE, `mount -t tmpfs -o size=1m tmpfs '${folder}'`])
  rmSync(folder, { recursive: true })
  return exitCode === 0
}

export type Ended = { out: string; err: string; exitCode: number }

/** Runs a TypeScript program. Its first argument is a folder on a separate disk of `megabytes`. */
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

/** Runs a TypeScript program with a read-only folder, which is its first argument. */
export async function onReadOnlyDisk(folder: string, script: string): Promise<Ended> {
  const mount = `mount --bind '${folder}' '${folder}' && mount -o remount,ro,bind '${folder}'`
  return ended(Bun.spawn([...UNSHARE, `${mount} && exec "$@"`, 'sh', ...typeScript(script, folder, [])], PIPES))
}

/** Whether tests can break a disk on this machine: an ext4 image needs root and a loop device. */
export const canBreakDisk = isPresent(hasBreakableDisk(), 'loop devices for root')

function hasBreakableDisk(): boolean {
  if (process.getuid?.() !== 0 || ['unshare', 'losetup', 'mkfs.ext4', 'e2fsck'].some((each) => !Bun.which(each)))
    return false
  const folder = mkdtempSync(join(tmpdir(), 'backbook-mount-'))
  const { exitCode } = Bun.spawnSync([
    'unshare',
    '--mount',
    'sh',
    '-c',
    `${MAKE_DISK} test -w "$TRIGGER"`,
    'sh',
    folder,
  ])
  rmSync(folder, { recursive: true })
  return exitCode === 0
}

/** Runs the first script on its own disk. When the script writes to the file named by its second argument, the kernel
 *  makes the file system read-only, as after an error. Then checks and remounts the disk, and runs the second script on
 *  it. Returns what both wrote to stdout, in one text. */
export async function onBreakingDisk(first: string, second: string, words: string[]): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'backbook-disk-'))
  const again = 'umount "$1/disk" && e2fsck -fy "$1/image" >&3 2>&3; mount -o loop "$1/image" "$1/disk"'
  const run = (name: string) => `"$2" -e "$${name}" "$1/disk" "$TRIGGER" $WORDS || exit 1`
  const script = `exec 3>/dev/null; ${MAKE_DISK} ${run('FIRST')}; ${again}; ${run('SECOND')}; umount "$1/disk"`
  try {
    const env = { ...process.env, FIRST: first, SECOND: second, WORDS: words.join(' ') }
    const command = ['unshare', '--mount', 'sh', '-c', script, 'sh', folder, process.execPath]
    return await ended(Bun.spawn(command, { ...PIPES, env }))
  } finally {
    rmSync(folder, { recursive: true })
  }
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

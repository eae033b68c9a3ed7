// A disk of a few megabytes that outlives the processes on it. One process holds its namespace open.

import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const HOLD = 'mount -t tmpfs -o size="$1"m tmpfs "$2" && touch "$2/mounted" && exec sleep 3600'
const PIECE = new Uint8Array(2 ** 16)
const FILLING = 'filling'
const MOUNTED_WITHIN_MS = 10_000

export class SmallDisk {
  /** The folder of the disk, as processes outside the namespace see it. */
  readonly folder: string
  /** The words that start a command inside the namespace of the disk. */
  readonly enter: readonly string[]
  readonly #holder: Bun.Subprocess

  private constructor(holder: Bun.Subprocess, place: string) {
    this.#holder = holder
    this.folder = `/proc/${holder.pid}/root${place}`
    this.enter = ['nsenter', `--target=${holder.pid}`, '--user', '--preserve-credentials', '--mount', '--']
  }

  /** Mounts a disk over a folder, visible only in its own namespace. */
  static async mount(place: string, megabytes: number): Promise<SmallDisk> {
    const command = ['unshare', '--map-root-user', '--mount', 'sh', '-c', HOLD, 'sh', String(megabytes), place]
    const disk = new SmallDisk(Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' }), place)
    const untilMs = performance.now() + MOUNTED_WITHIN_MS
    while (!existsSync(join(disk.folder, 'mounted'))) {
      if (performance.now() > untilMs) throw new Error(`no disk at ${place}`)
      await Bun.sleep(20)
    }
    return disk
  }

  /** Writes until the disk is full. */
  fill(): void {
    const file = openSync(join(this.folder, FILLING), 'a')
    try {
      for (;;) writeSync(file, PIECE)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    } finally {
      closeSync(file)
    }
  }

  empty(): void {
    rmSync(join(this.folder, FILLING), { force: true })
  }

  async unmount(): Promise<void> {
    this.#holder.kill('SIGKILL')
    await this.#holder.exited
  }
}

// Writes files so that they survive a power cut. Also checks whether a process is still running.

import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Returns whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Writes a new file and returns when all of it is on the disk. */
export function writeDurably(path: string, text: string): void {
  withFile(path, 'wx', (file) => {
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    fsyncSync(file)
  })
}

/** Makes the names in a folder survive a power cut. */
export const syncFolder = (path: string): void => withFile(path, 'r', fsyncSync)

/** Makes the content of a file survive a power cut. */
export const syncFile = (path: string): void => withFile(path, 'r+', fsyncSync)

/** Opens a file while `use` runs. A new file belongs to its user alone. */
function withFile(path: string, flags: 'r' | 'r+' | 'wx', use: (file: number) => void): void {
  const file = openSync(path, flags, 0o600)
  try {
    use(file)
  } finally {
    closeSync(file)
  }
}

// Writes that survive a power cut, and whether the process still runs that a file names.

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
  const file = openSync(path, 'wx', 0o600)
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
  fsyncSync(file)
  closeSync(file)
}

/** Makes the names in a folder survive a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Makes the content of a file survive a power cut. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

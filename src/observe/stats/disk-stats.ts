// Reads the size and free space of a folder's disk.

import { statfsSync } from 'node:fs'

export type DiskStats = {
  bytes: number
  /** Bytes that this process may still write. */
  freeBytes: number
}

export function readDiskStats(folder: string): DiskStats {
  const { bsize, blocks, bavail } = statfsSync(folder)
  return { bytes: blocks * bsize, freeBytes: bavail * bsize }
}

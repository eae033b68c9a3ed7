// How full the disk is that a folder lies on.

import { statfsSync } from 'node:fs'

export type DiskStats = {
  bytes: number
  /** What this process may still write. */
  freeBytes: number
}

export function readDiskStats(folder: string): DiskStats {
  const { bsize, blocks, bavail } = statfsSync(folder)
  return { bytes: blocks * bsize, freeBytes: bavail * bsize }
}

// How full the disk is that a folder lies on.

import { statfsSync } from 'node:fs'

export type DiskFigures = {
  bytes: number
  /** What this process may still write. */
  freeBytes: number
}

export function readDiskFigures(folder: string): DiskFigures {
  const { bsize, blocks, bavail } = statfsSync(folder)
  return { bytes: blocks * bsize, freeBytes: bavail * bsize }
}

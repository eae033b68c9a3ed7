// Finds segments that are not valid zstd data. Loading may not report this: it decides by the first bytes how to read
// a file. If these bytes look like text, nothing of the file is stored.

import { CutOff, zstdDamage } from '../capture/zstd-frames.ts'

/** Returns what is wrong with a segment; null if it is whole, or truncated because its recorder ended. */
export function segmentFault(path: string): string | null {
  const damage = zstdDamage(path)
  return damage === undefined || damage instanceof CutOff ? null : `Cannot read the rest of ${path}: ${damage.message}`
}

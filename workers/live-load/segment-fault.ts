// Finds segments that are not zstd data. As a capture, such a file is read by its first bytes, which may look like
// text, and none of it is stored.

import { CutOff, zstdDamage } from '../capture/zstd-frames.ts'

/** Returns what is wrong with a segment; null if it is whole, or truncated because its recorder ended. */
export function segmentFault(path: string): string | null {
  const damage = zstdDamage(path)
  return damage === undefined || damage instanceof CutOff ? null : `Cannot read ${path} beyond that: ${damage.message}`
}

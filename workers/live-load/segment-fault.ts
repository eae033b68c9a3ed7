// What is wrong with a segment that is no zstd. As a capture it is read by its first bytes, which may be those of text,
// and nothing of that is stored.

import { CutOff, zstdDamage } from '../capture/zstd-frames.ts'

/** Null where it is whole, or only cut off: then its recorder was ended. */
export function segmentFault(path: string): string | null {
  const damage = zstdDamage(path)
  return damage === undefined || damage instanceof CutOff ? null : `Cannot read ${path} beyond that: ${damage.message}`
}

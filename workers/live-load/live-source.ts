// A segment that is loaded while it is recorded, and its waiting lines.

import type { SegmentName } from '../segment/segment-folder.ts'
import type { LineQueue } from './line-queue.ts'
import type { LiveSegment } from './live-segment.ts'

const TEXT_BYTES_MIN = 64 << 10

export type LiveSource = {
  name: SegmentName
  live: LiveSegment
  queue: LineQueue
  addedMs: number
  /** Time of the segment's last turn, on the clock of `performance.now()`. */
  turnMs: number
  isOver: boolean
  /** Whether nothing of the segment is left to collect. */
  isCollected: boolean
  /** Whether a record of the segment was already stored when the record arrived. */
  isRepeated: boolean
  error: string | null
}

export const waitingBytes = ({ queue }: LiveSource): number => queue.memoryBytes + queue.fileBytes

/** Returns how many bytes of text each segment may take. Segments with little text leave their unused share to the
 *  others. */
export function sharesOf(sources: readonly LiveSource[], textBytesMax: number): Map<LiveSource, number> {
  const shares = new Map<LiveSource, number>()
  let left = textBytesMax
  const byNeed = sources.toSorted((a, b) => waitingBytes(a) - waitingBytes(b))
  for (const [i, source] of byNeed.entries()) {
    const share = Math.max(TEXT_BYTES_MIN, Math.floor(left / (sources.length - i)))
    shares.set(source, share)
    left -= Math.min(share, waitingBytes(source))
  }
  return shares
}

/** Stops loading a segment. Its file is not moved, and is loaded as a whole at the next start. */
export function fail(source: LiveSource, message: string): void {
  source.error ??= message
  source.queue.clear()
}

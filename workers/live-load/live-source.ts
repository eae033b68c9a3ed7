// A segment that is loaded while it is recorded, and what of it waits.

import type { SegmentName } from '../segment/segment-folder.ts'
import type { LineQueue } from './line-queue.ts'
import type { LiveSegment } from './live-segment.ts'

const TEXT_BYTES_MIN = 64 << 10

export type LiveSource = {
  name: SegmentName
  live: LiveSegment
  queue: LineQueue
  addedMs: number
  /** When it was taken from last, on the clock of `performance.now()`. */
  turnMs: number
  isOver: boolean
  /** Nothing of it is left to collect. */
  isCollected: boolean
  /** A record of it was stored already when it came. */
  isRepeated: boolean
  error: string | null
}

export const waitingBytes = ({ queue }: LiveSource): number => queue.memoryBytes + queue.fileBytes

/** How many bytes of text each may take: what those with little do not need is for those with much. */
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

/** The segment stays where it is, and is loaded as a whole at the next start. */
export function fail(source: LiveSource, message: string): void {
  source.error ??= message
  source.queue.clear()
}

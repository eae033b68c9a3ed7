// A segment that is written to disk and then given to whoever loads it: nothing reaches the store that is not on disk.

import type { SegmentName } from '../../../workers/segment/segment-folder.ts'
import type { SegmentWriter } from '../../../workers/segment/segment-writer.ts'

/** Takes the lines that were written. */
export interface SegmentFeed {
  add(segment: SegmentName, lines: Uint8Array<ArrayBuffer>): void
  closed(segment: SegmentName): void
}

export type Segment = Pick<
  SegmentWriter,
  'name' | 'frame' | 'rest' | 'gap' | 'audit' | 'control' | 'drop' | 'abandon' | 'isDue' | 'pendingLength'
> & {
  /** Both throw what the disk says; what waits goes on waiting. */
  flush(): void
  close(fields: Record<string, unknown>): void
}

/** From so many UTF-16 units on, lines are written at once. A loop that is short of processor time reads megabytes from
 *  its sockets before it comes to its timers; what waits for them would take several times that as strings. */
const WAITING_LENGTH_MAX = 1 << 20

export function recordedSegment(writer: SegmentWriter, feed: SegmentFeed): Segment {
  let writeAt = WAITING_LENGTH_MAX
  const write = () => {
    const lines = writer.flush()
    if (lines.length > 0) feed.add(writer.name, lines)
  }
  const writeEarly = () => {
    if (writer.pendingLength < writeAt) return
    try {
      write()
    } catch {
      // All of it waits on: the next flush that is due tells what the disk says.
    }
    writeAt = Math.max(WAITING_LENGTH_MAX, 2 * writer.pendingLength)
  }
  return {
    name: writer.name,
    get pendingLength() {
      return writer.pendingLength
    },
    frame(text, recvNs, monoNs) {
      writer.frame(text, recvNs, monoNs)
      writeEarly()
    },
    rest(body, recvNs, ticker) {
      writer.rest(body, recvNs, ticker)
      writeEarly()
    },
    gap: (gap) => writer.gap(gap),
    audit: (audit, fields) => writer.audit(audit, fields),
    control: (kind, fields) => writer.control(kind, fields),
    drop: () => writer.drop(),
    abandon() {
      const dropped = writer.abandon()
      feed.closed(writer.name)
      return dropped
    },
    isDue: () => writer.isDue(),
    flush: write,
    close(fields) {
      const lines = writer.close(fields)
      if (lines.length > 0) feed.add(writer.name, lines)
      feed.closed(writer.name)
    },
  }
}

// Opens the segments of this process in the data folder, and counts them and their bytes. Lines are written to disk
// before they go to the loader, so the store has nothing that is not on disk.

import type { SegmentName } from '../../../workers/segment/segment-folder.ts'
import { type SegmentHeader, SegmentWriter } from '../../../workers/segment/segment-writer.ts'
import { VERSION } from '../../version.ts'
import type { RecorderFigures } from '../status/recorder-figures.ts'
import type { SocketHeader } from './hourly-segment.ts'

type SegmentFilesOptions = {
  folder: string
  recorder: string
  nowNs: () => bigint
  feed: SegmentFeed
}

export class SegmentFiles {
  readonly #options: SegmentFilesOptions
  readonly #open = new Map<string, SegmentWriter>()
  #closedBytes = 0

  constructor(options: SegmentFilesOptions) {
    this.#options = options
  }

  /** Opens a segment. Throws disk errors. */
  open(header: SocketHeader): Segment {
    const { folder, recorder, nowNs, feed } = this.#options
    const whole: SegmentHeader = { ...header, recorder, version: VERSION }
    const writer = new SegmentWriter(folder, whole, nowNs)
    this.#open.set(writer.name, writer)
    return recordedSegment(writer, {
      add: (segment, lines) => feed.add(segment, lines),
      closed: (segment) => {
        this.#closedBytes += writer.fileBytes
        this.#open.delete(segment)
        feed.closed(segment)
      },
    })
  }

  /** Writes the number of open segments, and the bytes of all segments, into the stats. */
  count(figures: RecorderFigures): void {
    let bytes = this.#closedBytes
    for (const writer of this.#open.values()) bytes += writer.fileBytes
    figures.segmentBytes = bytes
    figures.segmentsOpen = this.#open.size
  }
}

/** Receives the lines that were written to disk. */
export interface SegmentFeed {
  add(segment: SegmentName, lines: Uint8Array<ArrayBuffer>): void
  closed(segment: SegmentName): void
}

export type Segment = Pick<
  SegmentWriter,
  'name' | 'frame' | 'rest' | 'gap' | 'audit' | 'control' | 'drop' | 'abandon' | 'isDue' | 'pendingLength'
> & {
  /** `flush` and `close` throw disk errors; the waiting lines then stay in memory. */
  flush(): void
  close(fields: Record<string, unknown>): void
}

/** If this many UTF-16 units wait, the lines are written at once, not by the next timer. The reason: if the event loop
 *  lacks processor time, it reads megabytes from its sockets before it runs timers. As strings, these megabytes take
 *  several times as much memory. */
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
      // The lines keep waiting: the next regular flush reports the disk error.
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
      // The lines first: a close that fails takes only its footer back.
      write()
      const lines = writer.close(fields)
      if (lines.length > 0) feed.add(writer.name, lines)
      feed.closed(writer.name)
    },
  }
}

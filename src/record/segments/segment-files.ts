// Opens the segments of this process in the data folder, and counts them and their bytes.

import type { SegmentHeader } from '../../../workers/segment/segment-writer.ts'
import { SegmentWriter } from '../../../workers/segment/segment-writer.ts'
import type { RecorderFigures } from '../status/recorder-figures.ts'
import { recordedSegment, type Segment, type SegmentFeed } from './recorded-segment.ts'
import type { KeptHeader } from './segment-keeper.ts'

export type SegmentFilesOptions = {
  folder: string
  recorder: string
  version: string
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
  open(header: KeptHeader): Segment {
    const { folder, recorder, version, nowNs, feed } = this.#options
    const whole: SegmentHeader = { ...header, recorder, version }
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

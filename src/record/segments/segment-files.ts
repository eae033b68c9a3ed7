// Writes the segments of this process in the data folder, and counts them and their bytes. Lines are written to disk
// before they go to the loader, so the store has nothing that is not on disk. A socket gets a new segment each hour.
// Lines are dropped if the disk refuses them and too many wait. REST bodies with metadata go to separate segments.

import type { Venue } from '../../../storage/venue.ts'
import type { SegmentName } from '../../../workers/segment/segment-folder.ts'
import type { ControlFields } from '../../../workers/segment/segment-lines.ts'
import { type SegmentHeader, SegmentWriter } from '../../../workers/segment/segment-writer.ts'
import { VERSION } from '../../version.ts'
import type { RecorderStats } from '../status/recorder-stats.ts'
import type { Clock } from '../time/clock.ts'

export type SocketHeader = Pick<SegmentHeader, 'venue' | 'connection' | 'url' | 'useYesPrice' | 'clock'>

/** Opens a segment. Throws disk errors. */
export type OpenSegment = (header: SocketHeader) => Segment

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
  count(stats: RecorderStats): void {
    let bytes = this.#closedBytes
    for (const writer of this.#open.values()) bytes += writer.fileBytes
    stats.segmentBytes = bytes
    stats.segmentsOpen = this.#open.size
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
      // Writes the lines first: if the close then fails, only the footer is taken back.
      write()
      const lines = writer.close(fields)
      if (lines.length > 0) feed.add(writer.name, lines)
      feed.closed(writer.name)
    },
  }
}

/** How often the first lines are repeated in a segment. */
const BEGIN_AGAIN_NS = 300_000_000_000n

export class HourlySegment {
  readonly #open: OpenSegment
  readonly #header: SocketHeader
  readonly #clock: Pick<Clock, 'wallNs'>
  readonly #writeFirst: (segment: Segment) => void
  #begunNs = 0n
  #segment: Segment
  /** The segment of the next hour, if it was opened but closing the current one failed. */
  #next: Segment | undefined
  /** Number of dropped lines, and the time of the first; undefined without an overflow. */
  #overflow: { dropped: number; fromNs: bigint } | undefined

  /** `begin` writes the first lines of each segment. They are repeated every 5 minutes, so that a reader can start
   *  there. Throws disk errors. */
  constructor(
    open: OpenSegment,
    header: SocketHeader,
    clock: Pick<Clock, 'wallNs'>,
    begin: (segment: Segment) => void,
  ) {
    this.#open = open
    this.#header = header
    this.#clock = clock
    this.#writeFirst = begin
    this.#segment = open(header)
    this.#begin()
  }

  /** The current segment. While `isOverflowing`, call `drop` instead of writing a line to it. */
  get segment(): Segment {
    return this.#segment
  }

  /** Whether lines are dropped instead of written. */
  get isOverflowing(): boolean {
    return this.#overflow !== undefined
  }

  get pendingLength(): number {
    return this.#segment.pendingLength
  }

  /** Counts a line that was dropped while `isOverflowing`. */
  drop(): void {
    if (this.#overflow !== undefined) this.#overflow.dropped++
  }

  /** Drops all waiting lines, because the disk refuses them and memory has reached its limit. Returns their number. */
  overflow(): number {
    const counts = this.#segment.drop()
    const dropped = Object.values(counts).reduce((sum, count) => sum + count, 0)
    if (this.#overflow === undefined) this.#overflow = { dropped, fromNs: this.#clock.wallNs() }
    else this.#overflow.dropped += dropped
    return dropped
  }

  /** Writes the waiting lines, and starts a new segment if the hour is over. Throws disk errors. Returns true if this
   *  call ended an overflow. The end of an overflow is written to the segment. */
  flush(): boolean {
    const overflow = this.#overflow
    if (overflow !== undefined) {
      this.#segment.drop()
      this.#segment.control('overflow', { dropped: overflow.dropped, from_ns: overflow.fromNs })
    }
    if (this.#segment.isDue()) this.#roll()
    else {
      if (this.#clock.wallNs() - this.#begunNs >= BEGIN_AGAIN_NS) this.#begin()
      this.#segment.flush()
    }
    this.#overflow = undefined
    return overflow !== undefined
  }

  /** Writes the waiting lines and closes the segment. Throws disk errors; then the caller can try again or abandon
   *  it. */
  close(fields: ControlFields): void {
    this.#segment.close(fields)
    this.#next?.abandon()
  }

  abandon(): void {
    this.#segment.abandon()
    this.#next?.abandon()
  }

  #roll(): void {
    this.#segment.flush()
    this.#next ??= this.#open(this.#header)
    this.#segment.close({ because: 'hour' })
    this.#segment = this.#next
    this.#next = undefined
    this.#begin()
  }

  #begin(): void {
    this.#begunNs = this.#clock.wallNs()
    this.#writeFirst(this.#segment)
  }
}

export class RestBodies {
  readonly #venue: Venue
  readonly #openSegment: OpenSegment
  readonly #clock: Pick<Clock, 'wallNs'>
  #hourly: HourlySegment | undefined
  /** Bodies that wait for a segment to be opened. */
  #waiting: { body: string; receivedNs: bigint }[] = []
  #isClosed = false

  constructor(venue: Venue, openSegment: OpenSegment, clock: Pick<Clock, 'wallNs'>) {
    this.#venue = venue
    this.#openSegment = openSegment
    this.#clock = clock
  }

  get pendingLength(): number {
    return this.#waiting.reduce((sum, { body }) => sum + body.length, this.#hourly?.pendingLength ?? 0)
  }

  add(body: string, receivedNs: bigint): void {
    if (this.#hourly === undefined) this.#waiting.push({ body, receivedNs })
    else this.#hourly.segment.rest(body, receivedNs)
  }

  /** Writes the waiting bodies. Throws disk errors. */
  flush(): void {
    if (this.#hourly === undefined && this.#waiting.length > 0) {
      const header = { venue: this.#venue, connection: `${this.#venue}-rest`, url: '', useYesPrice: null } as const
      const machine = { ...header, clock: 'machine' } as const
      this.#hourly = new HourlySegment(this.#openSegment, machine, this.#clock, () => undefined)
      for (const { body, receivedNs } of this.#waiting.splice(0)) this.#hourly.segment.rest(body, receivedNs)
    }
    if (this.#isClosed) this.#hourly?.close({ because: 'end' })
    else this.#hourly?.flush()
    if (this.#isClosed) this.#hourly = undefined
  }

  /** Drops all waiting bodies. Their metadata is stored when it changes next. Returns their number. */
  overflow(): number {
    const waiting = this.#waiting.splice(0).length
    return waiting + (this.#hourly?.overflow() ?? 0)
  }

  /** Makes the next `flush` close the segment. */
  stop(): void {
    this.#isClosed = true
  }
}

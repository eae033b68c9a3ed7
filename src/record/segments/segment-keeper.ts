// Keeps the segments of one socket: a new one each hour, and what becomes of lines that the disk does not take.

import type { ControlFields } from '../../../workers/segment/segment-lines.ts'
import type { SegmentHeader } from '../../../workers/segment/segment-writer.ts'
import type { Segment } from './recorded-segment.ts'

export type KeptHeader = Pick<SegmentHeader, 'venue' | 'connection' | 'url' | 'useYesPrice' | 'clock'>

/** Throws what the disk says. */
export type OpenSegment = (header: KeptHeader) => Segment

const BEGIN_AGAIN_NS = 300_000_000_000n

export class SegmentKeeper {
  readonly #open: OpenSegment
  readonly #header: KeptHeader
  readonly #nowNs: () => bigint
  readonly #sayFirst: (segment: Segment) => void
  #begunNs = 0n
  #segment: Segment
  /** Lines that no segment took, since when. */
  #overflow: { dropped: number; fromNs: bigint } | undefined

  /** `begin` writes what each segment begins with, and says again now and then: a reader begins there. Throws what the disk says. */
  constructor(
    open: OpenSegment,
    header: KeptHeader,
    { nowNs, begin }: { nowNs: () => bigint; begin: (segment: Segment) => void },
  ) {
    this.#open = open
    this.#header = header
    this.#nowNs = nowNs
    this.#sayFirst = begin
    this.#segment = open(header)
    this.#begin()
  }

  /** Where lines go; they are counted and forgotten while `isOverflowing`. */
  get segment(): Segment {
    return this.#segment
  }

  /** What is said now reaches no segment. */
  get isOverflowing(): boolean {
    return this.#overflow !== undefined
  }

  get pendingLength(): number {
    return this.#segment.pendingLength
  }

  /** A line that comes while `isOverflowing`. */
  drop(): void {
    if (this.#overflow !== undefined) this.#overflow.dropped++
  }

  /** Forgets what waits: the disk does not take it, and memory is at its bound. How many lines that were. */
  overflow(): number {
    const counts = this.#segment.drop()
    const dropped = Object.values(counts).reduce((sum, count) => sum + count, 0)
    if (this.#overflow === undefined) this.#overflow = { dropped, fromNs: this.#nowNs() }
    else this.#overflow.dropped += dropped
    return dropped
  }

  /** Writes what waits, and begins a new segment where the hour is over. Throws what the disk says. True where the disk
   *  takes lines again after an overflow, which the segment then reports. */
  flush(): boolean {
    const told = this.#overflow
    if (told !== undefined) {
      this.#segment.drop()
      this.#segment.control('overflow', { dropped: told.dropped, from_ns: told.fromNs })
    }
    if (this.#segment.isDue()) this.#roll()
    else {
      if (this.#nowNs() - this.#begunNs >= BEGIN_AGAIN_NS) this.#begin()
      this.#segment.flush()
    }
    this.#overflow = undefined
    return told !== undefined
  }

  /** The last of it. Throws what the disk says: then it can be closed again, or abandoned. */
  close(fields: ControlFields): void {
    this.#segment.close(fields)
  }

  abandon(): void {
    this.#segment.abandon()
  }

  #roll(): void {
    this.#segment.close({ because: 'hour' })
    this.#segment = this.#open(this.#header)
    this.#begin()
  }

  #begin(): void {
    this.#begunNs = this.#nowNs()
    this.#sayFirst(this.#segment)
  }
}

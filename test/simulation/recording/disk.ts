// The disk of a recorder, which outlives its processes: segments, as far as they were flushed.

import { recordedSegment, type Segment, type SegmentFeed } from '../../../src/record/segments/recorded-segment.ts'
import type { OpenSegment } from '../../../src/record/segments/segment-keeper.ts'
import {
  type ControlFields,
  type ControlKind,
  controlLine,
  frameLine,
  type GapLine,
  gapLine,
  restLine,
  SEGMENT_FORMAT,
} from '../../../workers/segment/segment-lines.ts'
import type { SegmentWriter } from '../../../workers/segment/segment-writer.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const NONE = { frame: 0, rest: 0, gap: 0 }

export class Disk {
  readonly recorder: string
  /** Of each segment that is not all in the store, what was flushed. */
  readonly #segments = new Map<string, Uint8Array<ArrayBuffer>[]>()
  #opened = 0

  constructor(recorder: string) {
    this.recorder = recorder
  }

  get names(): string[] {
    return [...this.#segments.keys()]
  }

  lines(name: string): string[] {
    const chunks = this.#segments.get(name) ?? []
    return chunks.flatMap((chunk) => decoder.decode(chunk).split('\n').filter(Boolean))
  }

  append(name: string, lines: Uint8Array<ArrayBuffer>): void {
    this.#segments.set(name, [...(this.#segments.get(name) ?? []), lines])
  }

  remove(name: string): void {
    this.#segments.delete(name)
  }

  /** For one process of the recorder. */
  opens(feed: SegmentFeed, nowNs: () => bigint): OpenSegment {
    return ({ fence, ...header }): Segment => {
      const name = `${this.recorder}-${++this.#opened}-${header.connection}`
      if (fence !== undefined) feed.opened(name, fence)
      const { venue, connection, url, useYesPrice, clock } = header
      const said = { format: SEGMENT_FORMAT, venue, recorder: this.recorder, connection, url }
      const writer = new DiskWriter(this, name, nowNs)
      writer.control('segment', { ...said, use_yes_price: useYesPrice, version: '0.0.0', clock })
      return recordedSegment(writer as unknown as SegmentWriter, feed)
    }
  }
}

/** What a segment's writer does, on this disk. */
class DiskWriter {
  readonly name: string
  readonly #disk: Disk
  readonly #nowNs: () => bigint
  #pending: string[] = []

  constructor(disk: Disk, name: string, nowNs: () => bigint) {
    this.#disk = disk
    this.name = name
    this.#nowNs = nowNs
  }

  get pendingLength(): number {
    return this.#pending.reduce((sum, { length }) => sum + length, 0)
  }

  isDue = (): boolean => false
  frame = (text: string, recvNs: bigint | null, monoNs: bigint) => this.#add(frameLine(text, recvNs, monoNs))
  rest = (body: string, recvNs: bigint | null, ticker?: string) => this.#add(restLine(body, recvNs, ticker))
  gap = (gap: GapLine) => this.#add(gapLine(gap))
  control = (kind: ControlKind, fields: ControlFields) => this.#add(controlLine(kind, this.#nowNs(), fields))

  drop() {
    this.#pending = []
    return NONE
  }

  abandon = () => this.drop()

  flush(): Uint8Array<ArrayBuffer> {
    const lines = encoder.encode(this.#pending.join(''))
    this.#pending = []
    if (lines.length > 0) this.#disk.append(this.name, lines.slice())
    return lines
  }

  close(fields: ControlFields): Uint8Array<ArrayBuffer> {
    this.control('footer', fields)
    return this.flush()
  }

  #add(line: string): void {
    this.#pending.push(line)
  }
}

// The disk of a recorder, which outlives its processes. Holds the flushed part of each segment.

import {
  addLastSeen,
  readWholeSegment,
  type SeenBooks,
  type SegmentEnd,
} from '../../../src/record/last-seen/segment-ends.ts'
import {
  type OpenSegment,
  recordedSegment,
  type Segment,
  type SegmentFeed,
} from '../../../src/record/segments/segment-files.ts'
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

type Flushed = { number: number; connection: string; chunks: Uint8Array<ArrayBuffer>[]; isLoaded: boolean }

export class Disk {
  readonly recorder: string
  /** For each segment, the flushed bytes. */
  readonly #segments = new Map<string, Flushed>()
  #opened = 0
  /** Number of segments that earlier processes opened. */
  #before = 0

  constructor(recorder: string) {
    this.recorder = recorder
  }

  /** Names of the segments that are not completely in the store. */
  get names(): string[] {
    return [...this.#segments].filter(([, { isLoaded }]) => !isLoaded).map(([name]) => name)
  }

  /** Whether the store lacks a part of a segment that was written before the latest process started. */
  get isBehind(): boolean {
    return [...this.#segments.values()].some(({ number, isLoaded }) => !isLoaded && number <= this.#before)
  }

  lines(name: string): string[] {
    return decoder.decode(this.#text(name)).split('\n').filter(Boolean)
  }

  /** Returns the last-seen times of all books, from the newest segment of each connection that names its books. */
  lastSeen(): SeenBooks {
    const lastSeen: SeenBooks = { polymarket: new Map(), kalshi: new Map() }
    const newestEnds = new Map<string, SegmentEnd>()
    for (const [name, { connection }] of this.#segments) {
      const end = readWholeSegment('kalshi', this.#text(name))
      if (end !== undefined) newestEnds.set(connection, end)
    }
    for (const newest of newestEnds.values()) addLastSeen(lastSeen, newest)
    return lastSeen
  }

  append(name: string, number: number, connection: string, lines: Uint8Array<ArrayBuffer>): void {
    const segment = this.#segments.get(name) ?? { number, connection, chunks: [], isLoaded: false }
    this.#segments.set(name, segment)
    segment.chunks.push(lines)
  }

  loaded(name: string): void {
    const segment = this.#segments.get(name)
    if (segment !== undefined) segment.isLoaded = true
  }

  #text(name: string): Uint8Array {
    return Buffer.concat(this.#segments.get(name)?.chunks ?? [])
  }

  /** Returns a function that opens segments for one process of the recorder. */
  opens(feed: SegmentFeed, nowNs: () => bigint): OpenSegment {
    this.#before = this.#opened
    return (header): Segment => {
      const number = ++this.#opened
      const name = `${this.recorder}-${number}-${header.connection}`
      const { venue, connection, url, useYesPrice, clock } = header
      const fields = { format: SEGMENT_FORMAT, venue, recorder: this.recorder, connection, url }
      const writer = new DiskWriter(this, name, number, connection.replace(/-\d+$/, ''), nowNs)
      writer.control('segment', { ...fields, use_yes_price: useYesPrice, version: '0.0.0', clock })
      return recordedSegment(writer as unknown as SegmentWriter, feed)
    }
  }
}

/** The writer of a segment, on this disk. */
class DiskWriter {
  readonly name: string
  readonly #disk: Disk
  readonly #number: number
  readonly #connection: string
  readonly #nowNs: () => bigint
  #pending: string[] = []

  constructor(disk: Disk, name: string, number: number, connection: string, nowNs: () => bigint) {
    this.#disk = disk
    this.#number = number
    this.#connection = connection
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
    if (lines.length > 0) this.#disk.append(this.name, this.#number, this.#connection, lines.slice())
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

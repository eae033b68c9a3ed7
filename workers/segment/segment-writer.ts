// Writes one segment: the lines of one connection for at most an hour. A flush is one zstd frame, so a crash loses at
// most the lines that were not flushed. A file is never opened twice for writing.

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { writeFailure } from '../../storage/data-folder/disk-space.ts'
import { syncFolder } from '../../storage/data-folder/durable-file.ts'
import type { Venue } from '../../storage/venue.ts'
import { findSegment, loadedFolder, newFolder, PART_END, type SegmentName, segmentName } from './segment-folder.ts'
import {
  type AuditLine,
  type ControlFields,
  type ControlKind,
  controlLine,
  frameLine,
  type GapLine,
  gapLine,
  restLine,
  SEGMENT_FORMAT,
} from './segment-lines.ts'

export type SegmentHeader = {
  venue: Venue
  /** Ids have 1 to 64 characters of A-Z a-z 0-9 _ . - */
  recorder: string
  connection: string
  /** URL without its secrets. */
  url: string
  /** The value in the subscription to Kalshi (`use_yes_price`); null for Polymarket. */
  useYesPrice: boolean | null
  /** Version of the program. */
  version: string
  /** The clock of the receive times. `machine`: this machine's clock. `replay`: the original recorder's clock. */
  clock: 'machine' | 'replay'
}

/** Number of lines in a segment, by kind. */
export type SegmentCounts = { frame: number; rest: number; gap: number } & { [kind in ControlKind]?: number }

/** Totals of the frames in the file. `fileBytes` is their compressed size, `textBytes` the size of their text. */
type Written = { fileBytes: number; textBytes: number; counts: SegmentCounts; digest: Bun.CryptoHasher }

/** Lines that wait for a flush. `length` is in UTF-16 units. */
type Waiting = { lines: string[]; length: number; counts: SegmentCounts }

const noCounts = (): SegmentCounts => ({ frame: 0, rest: 0, gap: 0 })
const noLines = (): Waiting => ({ lines: [], length: 0, counts: noCounts() })
const HOUR_NS = 3_600_000_000_000n
const COMPRESSION = { level: 3 } as const
const SAME_NAMES_MAX = 99
const encoder = new TextEncoder()

export class SegmentWriter {
  readonly name: SegmentName
  readonly #dataFolder: string
  readonly #path: string
  readonly #file: number
  readonly #nowNs: () => bigint
  readonly #hour: bigint
  readonly #header: string
  #written: Written = { fileBytes: 0, textBytes: 0, counts: noCounts(), digest: new Bun.CryptoHasher('sha256') }
  #waiting = noLines()
  #isOpen = true

  /** Creates the file; the first flush writes its header. `nowNs` is the wall clock. Throws RangeError for an id that
   *  cannot be part of a name, and the file system's errors, including DataError('disk_full'). */
  constructor(dataFolder: string, header: SegmentHeader, nowNs: () => bigint) {
    const startNs = nowNs()
    this.#dataFolder = dataFolder
    this.#nowNs = nowNs
    this.#hour = startNs / HOUR_NS
    const { name, path, file } = createFile(dataFolder, header, startNs)
    this.name = name
    this.#path = path
    this.#file = file
    const { venue, recorder, connection, url, useYesPrice, version, clock } = header
    const identity = { format: SEGMENT_FORMAT, venue, recorder, connection, url, use_yes_price: useYesPrice }
    this.#header = controlLine('segment', startNs, { ...identity, version, clock })
    this.#add('segment', this.#header)
  }

  /** Returns whether the segment's hour is over. */
  isDue(): boolean {
    return this.#nowNs() / HOUR_NS !== this.#hour
  }

  /** Length of the lines that wait for a flush, in UTF-16 units. */
  get pendingLength(): number {
    return this.#waiting.length
  }

  /** Compressed size on disk. */
  get fileBytes(): number {
    return this.#written.fileBytes
  }

  /** Adds a text frame as it was received. `recvNs` is null if a replay has no receive time. */
  frame(text: string, recvNs: bigint | null, monoNs: bigint): void {
    this.#add('frame', frameLine(text, recvNs, monoNs))
  }

  /** Adds the body of an HTTP answer. A Kalshi book needs its `ticker`. */
  rest(body: string, recvNs: bigint | null, ticker?: string): void {
    this.#add('rest', restLine(body, recvNs, ticker))
  }

  gap(gap: GapLine): void {
    this.#add('gap', gapLine(gap))
  }

  audit({ venue, market, assetId, result }: AuditLine, fields: ControlFields = {}): void {
    this.control('audit', { venue, market, asset_id: assetId, result, ...fields })
  }

  /** Adds a control line that explains the lines around it: a command, a connection state, an overflow. */
  control(kind: Exclude<ControlKind, 'segment' | 'footer'>, fields: ControlFields): void {
    this.#add(kind, controlLine(kind, this.#nowNs(), fields))
  }

  /** Writes the waiting lines as one frame and returns them; the caller owns the returned bytes. Returns no bytes if no
   *  lines waited. Throws DataError('disk_full') or the file system's error. Then the file is unchanged, and all lines
   *  still wait for another flush or for `drop`. */
  flush(): Uint8Array<ArrayBuffer> {
    assertOpen(this.#isOpen, this.name)
    const lines = encoder.encode(this.#waiting.lines.join(''))
    if (lines.length === 0) return lines
    const frame = Bun.zstdCompressSync(lines, COMPRESSION)
    this.#append(frame)
    const { fileBytes, textBytes, counts, digest } = this.#written
    this.#written = {
      fileBytes: fileBytes + frame.length,
      textBytes: textBytes + lines.length,
      counts: sumOf(counts, this.#waiting.counts),
      digest: digest.copy().update(lines),
    }
    this.#waiting = noLines()
    return lines
  }

  /** Drops the waiting lines. Used if the disk stays full. Keeps the header if it is not written yet. Returns the
   *  number of dropped lines by kind. */
  drop(): SegmentCounts {
    const { counts } = this.#waiting
    this.#waiting = noLines()
    if (this.#written.fileBytes > 0) return counts
    this.#add('segment', this.#header)
    return { ...counts, segment: 0 }
  }

  /** Flushes with a footer, waits until the disk has the data, and removes `.part` from the name. Returns the last
   *  lines in the same form as `flush`. `fields` are the caller's own fields of the footer. Throws the errors of
   *  `flush`. After an error all lines wait again, without the footer, and more may be added before the next try. */
  close(fields: ControlFields = {}): Uint8Array<ArrayBuffer> {
    assertOpen(this.#isOpen, this.name)
    const [written, waiting] = [this.#written, this.#waiting]
    waiting.lines.push(this.#footer(fields))
    try {
      const last = this.flush()
      fsyncSync(this.#file)
      renameSync(this.#path, this.#path.slice(0, -PART_END.length))
      this.#end()
      return last
    } catch (error) {
      waiting.lines.pop()
      ;[this.#written, this.#waiting] = [written, waiting]
      this.#cut()
      throw writeFailure(error, this.#dataFolder)
    }
  }

  /** Ends the segment without a footer. Flushed lines stay in the file, whose name still ends with `.part`. Returns the
   *  number of dropped lines by kind. */
  abandon(): SegmentCounts {
    if (this.#isOpen) this.#end()
    return this.#waiting.counts
  }

  #footer(fields: ControlFields): string {
    const { textBytes, counts, digest } = this.#written
    const text = encoder.encode(this.#waiting.lines.join(''))
    const sha256 = digest.copy().update(text).digest('hex')
    const totals = { lines: sumOf(counts, this.#waiting.counts), bytes: textBytes + text.length, sha256 }
    return controlLine('footer', this.#nowNs(), { ...totals, ...fields })
  }

  #add(kind: keyof SegmentCounts, line: string): void {
    assertOpen(this.#isOpen, this.name)
    const waiting = this.#waiting
    waiting.lines.push(line)
    waiting.length += line.length
    waiting.counts[kind] = (waiting.counts[kind] ?? 0) + 1
  }

  #append(bytes: Uint8Array): void {
    const { fileBytes } = this.#written
    try {
      // Remove what a failed write left behind.
      if (fstatSync(this.#file).size > fileBytes) ftruncateSync(this.#file, fileBytes)
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, fileBytes + done)
      }
    } catch (error) {
      this.#cut()
      throw writeFailure(error, this.#dataFolder)
    }
  }

  #cut(): void {
    try {
      ftruncateSync(this.#file, this.#written.fileBytes)
    } catch {
      // The next flush truncates the file. Until then, a reader treats the incomplete frame as the end of the file.
    }
  }

  #end(): void {
    this.#isOpen = false
    try {
      closeSync(this.#file)
      syncFolder(dirname(this.#path))
    } catch {
      // The file has all lines. After a power failure it may have its earlier name, which ends with `.part`.
    }
  }
}

function sumOf(counts: SegmentCounts, more: SegmentCounts): SegmentCounts {
  const sum = { ...counts }
  for (const [kind, count] of Object.entries(more)) {
    sum[kind as ControlKind] = (sum[kind as ControlKind] ?? 0) + count
  }
  return sum
}

function createFile(dataFolder: string, header: SegmentHeader, startNs: bigint) {
  for (let count = 0; count <= SAME_NAMES_MAX; count++) {
    const name = segmentName(header, startNs, count)
    const path = join(newFolder(dataFolder), name + PART_END)
    if (findSegment(newFolder(dataFolder), name) ?? findSegment(loadedFolder(dataFolder), name)) continue
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      return { name, path, file: openSync(path, 'wx', 0o600) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path)) continue
      throw writeFailure(error, dataFolder)
    }
  }
  throw new Error(`${SAME_NAMES_MAX + 1} segments of ${header.connection} began in the same second`)
}

function assertOpen(isOpen: boolean, name: SegmentName): void {
  if (!isOpen) throw new Error(`the segment ${name} is closed`)
}

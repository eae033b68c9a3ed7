// Writes one segment: the lines of one connection for at most an hour. A flush is one frame of zstd, so that whatever
// ends the process costs at most what was not flushed. A file is never opened twice for writing.

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
  /** Ids are 1 to 64 of A-Z a-z 0-9 _ . - */
  recorder: string
  connection: string
  /** Without its secrets. */
  url: string
  /** Of Kalshi: what was asked for; null elsewhere. */
  useYesPrice: boolean | null
  /** Of the program. */
  version: string
  /** `machine`: receive times are of this machine. `replay`: of whoever recorded what is replayed. */
  clock: 'machine' | 'replay'
}

/** Lines of a segment, by what they are. */
export type SegmentCounts = { frame: number; rest: number; gap: number } & { [kind in ControlKind]?: number }

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
  readonly #digest = new Bun.CryptoHasher('sha256')
  /** Bytes of the file that are whole frames. */
  #fileBytes = 0
  /** Bytes of the text that is in them. */
  #textBytes = 0
  #counts: SegmentCounts = { frame: 0, rest: 0, gap: 0 }
  #pending: string[] = []
  #pendingLength = 0
  #pendingCounts: SegmentCounts = { frame: 0, rest: 0, gap: 0 }
  /** The lines of the last flush, the footer among them. */
  #last: Uint8Array<ArrayBuffer> | undefined
  #isOpen = true

  /** Makes the file; its header is written with the first flush. `nowNs` is the wall clock. Throws RangeError for an id
   *  that cannot be in a name, and what the file system throws, DataError('disk_full') among it. */
  constructor(dataFolder: string, header: SegmentHeader, nowNs: () => bigint) {
    const startNs = nowNs()
    this.#dataFolder = dataFolder
    this.#nowNs = nowNs
    this.#hour = startNs / HOUR_NS
    const { name, path, file } = openAnew(dataFolder, header, startNs)
    this.name = name
    this.#path = path
    this.#file = file
    const { venue, recorder, connection, url, useYesPrice, version, clock } = header
    const said = { format: SEGMENT_FORMAT, venue, recorder, connection, url, use_yes_price: useYesPrice }
    this.#add('segment', controlLine('segment', startNs, { ...said, version, clock }))
  }

  /** Whether the segment's hour is over. */
  isDue(): boolean {
    return this.#nowNs() / HOUR_NS !== this.#hour
  }

  /** Lines that wait for a flush, in UTF-16 units. */
  get pendingLength(): number {
    return this.#pendingLength
  }

  /** Compressed, as it lies on the disk. */
  get fileBytes(): number {
    return this.#fileBytes
  }

  /** A text frame as it came, stamped at its arrival. `recvNs` is null where a replay has no receive time. */
  frame(text: string, recvNs: bigint | null, monoNs: bigint): void {
    this.#add('frame', frameLine(text, recvNs, monoNs))
  }

  /** The body of an answer over HTTP. A book of Kalshi needs its `ticker`. */
  rest(body: string, recvNs: bigint | null, ticker?: string): void {
    this.#add('rest', restLine(body, recvNs, ticker))
  }

  gap(gap: GapLine): void {
    this.#add('gap', gapLine(gap))
  }

  audit({ venue, market, assetId, result }: AuditLine, fields: ControlFields = {}): void {
    this.control('audit', { venue, market, asset_id: assetId, result, ...fields })
  }

  /** Commands sent, states of the connection, overflows: what explains the lines around it. */
  control(kind: Exclude<ControlKind, 'segment' | 'footer'>, fields: ControlFields): void {
    this.#add(kind, controlLine(kind, this.#nowNs(), fields))
  }

  /** Writes what waits as one frame. The lines of it, which are in the file now and belong to the caller; empty where
   *  nothing waited. Throws DataError('disk_full'), or the file system's error: then the file is as it was, and all
   *  lines still wait, for another flush or for `drop`. */
  flush(): Uint8Array<ArrayBuffer> {
    assertOpen(this.#isOpen, this.name)
    const lines = encoder.encode(this.#pending.join(''))
    if (lines.length === 0) return lines
    this.#append(Bun.zstdCompressSync(lines, COMPRESSION))
    this.#digest.update(lines)
    this.#textBytes += lines.length
    this.#counts = sumOf(this.#counts, this.#pendingCounts)
    this.drop()
    return lines
  }

  /** Forgets what waits, for a disk that stays full: how many lines that were, by what they are. */
  drop(): SegmentCounts {
    const dropped = this.#pendingCounts
    this.#pending = []
    this.#pendingLength = 0
    this.#pendingCounts = { frame: 0, rest: 0, gap: 0 }
    return dropped
  }

  /** Flushes with a footer, waits for the disk, and takes away `.part`. The last lines, as `flush` returns them.
   *  `fields` are the caller's own of the footer. Throws as `flush` does: close again, or `abandon`. */
  close(fields: ControlFields = {}): Uint8Array<ArrayBuffer> {
    this.#last ??= this.#flushWithFooter(fields)
    try {
      fsyncSync(this.#file)
      renameSync(this.#path, this.#path.slice(0, -PART_END.length))
    } catch (error) {
      throw writeFailure(error, this.#dataFolder)
    }
    this.#end()
    syncFolder(dirname(this.#path))
    return this.#last
  }

  /** Ends without a footer. What was flushed stays, in a file that keeps `.part`. */
  abandon(): SegmentCounts {
    if (this.#isOpen) this.#end()
    return this.drop()
  }

  #flushWithFooter(fields: ControlFields): Uint8Array<ArrayBuffer> {
    const text = encoder.encode(this.#pending.join(''))
    const lines = sumOf(this.#counts, this.#pendingCounts)
    const sha256 = this.#digest.copy().update(text).digest('hex')
    const said = { lines, bytes: this.#textBytes + text.length, sha256 }
    const footer = controlLine('footer', this.#nowNs(), { ...said, ...fields })
    this.#pending.push(footer)
    try {
      return this.flush()
    } catch (error) {
      this.#pending.pop()
      throw error
    }
  }

  #add(kind: keyof SegmentCounts, line: string): void {
    assertOpen(this.#isOpen, this.name)
    this.#pending.push(line)
    this.#pendingLength += line.length
    this.#pendingCounts[kind] = (this.#pendingCounts[kind] ?? 0) + 1
  }

  #append(bytes: Uint8Array): void {
    try {
      // What a write before this one left behind.
      if (fstatSync(this.#file).size > this.#fileBytes) ftruncateSync(this.#file, this.#fileBytes)
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, this.#fileBytes + done)
      }
    } catch (error) {
      this.#cut()
      throw writeFailure(error, this.#dataFolder)
    }
    this.#fileBytes += bytes.length
  }

  #cut(): void {
    try {
      ftruncateSync(this.#file, this.#fileBytes)
    } catch {
      // The next flush does it. A reader takes a frame that is cut off for the end of the file.
    }
  }

  #end(): void {
    this.#isOpen = false
    closeSync(this.#file)
  }
}

function sumOf(counts: SegmentCounts, more: SegmentCounts): SegmentCounts {
  const sum = { ...counts }
  for (const [kind, count] of Object.entries(more)) {
    sum[kind as ControlKind] = (sum[kind as ControlKind] ?? 0) + count
  }
  return sum
}

function openAnew(dataFolder: string, header: SegmentHeader, startNs: bigint) {
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

/** A name is on the disk once its folder is. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function assertOpen(isOpen: boolean, name: SegmentName): void {
  if (!isOpen) throw new Error(`the segment ${name} is closed`)
}

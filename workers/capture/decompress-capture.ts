// The bytes of a capture file, decompressed. Recorders append, so a gzip or zstd file may have many members. A file
// that is cut off or damaged gives what comes before, and then the failure.

import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { DataError } from '../../storage/failures.ts'
import {
  behindPadding,
  type Compression,
  compressionOf,
  type Inflater,
  inflateFault,
  MAGIC_BYTES,
  newInflater,
} from '../bytes/compression.ts'
import { zstdDamage } from './zstd-frames.ts'

const CHUNK_BYTES = 1 << 18
/** What a piece inflates to should fit: the inflater then works through it without waiting for this thread. */
const INFLATED_BYTES = 1 << 19
const AHEAD_BYTES_MAX = 8 << 20
/** Compressed bytes handed to zlib at once. */
const PIECE_BYTES = 1 << 15

type OnChunk = (chunk: Uint8Array, fileBytes: number) => void
/** How far a file is read: where the piece in hand begins. From `bytewiseFrom` on, a piece is a byte. */
type Place = { offset: number; bytewiseFrom: number }
/** A segment that its recorder has not closed, or could not. */
export const isOpenSegment = (path: string): boolean => path.endsWith('.ndjson.zst.part')

/** Calls `onChunk` with each piece, and how many bytes of the file it took. Rejects where the file is cut off or
 *  damaged, after what comes before; with CutOff where it ends within a frame of zstd. */
export async function decompressCapture(path: string, onChunk: OnChunk): Promise<void> {
  const compression = compressionOfFile(path)
  if (compression !== undefined) {
    await inflateAll(path, compression, onChunk)
    // The decoder ends quietly where the file does, in the middle of a frame too.
    const damage = compression === 'zstd' ? zstdDamage(path) : undefined
    if (damage !== undefined) throw damage
    return
  }
  let fileBytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    fileBytes += chunk.length
    onChunk(chunk, fileBytes)
  }
}

/** A file that begins neither as one of them nor as text is damaged: its name says what it was. */
function compressionOfFile(path: string): Compression | undefined {
  const head = bytesAt(path, 0, MAGIC_BYTES)
  const found = compressionOf(head)
  if (found !== undefined || (head.length > 0 && isText(head[0]!))) return found
  if (path.endsWith('.gz')) return 'gzip'
  return path.endsWith('.zst') || isOpenSegment(path) ? 'zstd' : undefined
}

/** Of a line of a capture, or of a byte order mark. */
const isText = (first: number): boolean => (first >= 0x09 && first < 0x7f) || first === 0xef

function bytesAt(path: string, start: number, length: number): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, start))
  } finally {
    closeSync(file)
  }
}

async function inflateAll(path: string, compression: Compression, onChunk: OnChunk): Promise<void> {
  const padding = (start: number) => bytesAt(path, start, PIECE_BYTES)
  let start = 0
  do {
    const end = await inflateFrom(path, compression, start, onChunk)
    start = compression === 'gzip' ? await behindPadding(end, padding) : end
  } while (compression === 'gzip' && padding(start).length > 0)
}

/** Where it ended. */
async function inflateFrom(path: string, compression: Compression, start: number, onChunk: OnChunk): Promise<number> {
  let length = 0
  const count: OnChunk = (chunk, fileBytes) => {
    length += chunk.length
    onChunk(chunk, fileBytes)
  }
  const inflater = newInflater(compression, INFLATED_BYTES)
  const place: Place = { offset: start, bytewiseFrom: Number.POSITIVE_INFINITY }
  try {
    await inflate(path, inflater, place, count)
    return start + inflater.bytesWritten
  } catch (error) {
    // A file that is cut off fails behind its last piece. Else the inflater drops what it had of the piece that it
    // failed on: read again byte by byte, that piece gives what comes before the damage.
    if (inflater.errored === null || (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') throw error
    const onRest: OnChunk = (chunk, fileBytes) => {
      const known = Math.min(length, chunk.length)
      length -= known
      if (known < chunk.length) onChunk(chunk.subarray(known), fileBytes)
    }
    const again: Place = { offset: start, bytewiseFrom: place.offset }
    await inflate(path, newInflater(compression, INFLATED_BYTES), again, onRest).catch((failure) => {
      if (failure instanceof DataError) throw failure
    })
    throw new Error(inflateFault(error))
  }
}

/** The inflater runs in a thread of its own: while it works on a piece, this one hands on what came of the piece
 *  before. */
async function inflate(path: string, inflater: Inflater, place: Place, onChunk: OnChunk): Promise<void> {
  const file = openSync(path, 'r')
  const ended = new Promise<void>((resolve, reject) => {
    inflater.on('end', resolve)
    inflater.on('error', reject)
  })
  ended.catch(() => {})
  const ahead = new ChunkQueue((chunk) => onChunk(chunk, place.offset))
  inflater.on('data', (chunk: Uint8Array) => ahead.push(chunk))
  try {
    for (;;) {
      const piece = new Uint8Array(place.offset < place.bytewiseFrom ? PIECE_BYTES : 1)
      const count = readSync(file, piece, 0, piece.length, place.offset)
      if (count === 0) break
      const written = new Promise((resolve) => inflater.write(piece.subarray(0, count), resolve))
      ahead.handOn()
      await Promise.race([written, ended])
      place.offset += count
    }
    inflater.end()
    ahead.handOn()
    await ended
  } finally {
    ahead.handOn()
    closeSync(file)
    inflater.destroy()
  }
}

/** Chunks between their inflation and their use. A piece that inflates beyond measure is used as it comes. */
class ChunkQueue {
  readonly #use: (chunk: Uint8Array) => void
  #chunks: Uint8Array[] = []
  #bytes = 0
  /** What the chunk before lies in. */
  #buffer: ArrayBuffer | undefined

  constructor(use: (chunk: Uint8Array) => void) {
    this.#use = use
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > AHEAD_BYTES_MAX) this.handOn()
  }

  handOn(): void {
    const chunks = this.#chunks
    this.#chunks = []
    this.#bytes = 0
    for (const { buffer, byteOffset, byteLength } of chunks) {
      this.#release(buffer as ArrayBuffer)
      // A buffer of Node has a `slice` that copies nothing.
      this.#use(new Uint8Array(buffer, byteOffset, byteLength))
    }
  }

  // The inflater fills one buffer after the other. Given back when it begins the next, their memory is used again at
  // once; the engine would not know of it until its collector comes by.
  #release(next: ArrayBuffer): void {
    if (next === this.#buffer || next.byteLength < INFLATED_BYTES) return
    this.#buffer?.transfer(0)
    this.#buffer = next
  }
}

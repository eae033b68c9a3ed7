// Decompresses the bytes of a capture file. Recorders append, so a gzip or zstd file may have many members. If a file
// is truncated or damaged, passes on the intact bytes first and then fails.

import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { DataError } from '../../storage/failures.ts'
import {
  type Compression,
  compressionOf,
  type Inflater,
  inflateFault,
  MAGIC_BYTES,
  newInflater,
  skipPadding,
} from '../bytes/compression.ts'
import { zstdDamage } from './zstd-frames.ts'

const CHUNK_BYTES = 1 << 18
/** Size of the output buffer. It should hold all that one piece inflates to, so that the inflater need not wait for
 *  this thread. */
const INFLATED_BYTES = 1 << 19
const AHEAD_BYTES_MAX = 8 << 20
/** Compressed bytes passed to zlib at once. */
const PIECE_BYTES = 1 << 15

type OnChunk = (chunk: Uint8Array, fileBytes: number) => void
/** Position in the file: the start of the current piece. From `bytewiseFrom` on, a piece is one byte. */
type FilePosition = { offset: number; bytewiseFrom: number }
/** Returns whether the file is a segment that its recorder has not closed, or could not close. */
export const isOpenSegment = (path: string): boolean => path.endsWith('.ndjson.zst.part')

/** Calls `onChunk` with each decompressed chunk and the number of file bytes read so far. If the file is truncated or
 *  damaged, passes on the bytes before that point, then rejects. Rejects with CutOff if the file ends within a zstd
 *  frame. */
export async function decompressCapture(path: string, onChunk: OnChunk): Promise<void> {
  const compression = compressionOfFile(path)
  if (compression !== undefined) {
    await inflateAll(path, compression, onChunk)
    // The decoder does not fail if the file ends in the middle of a frame.
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

/** Returns the compression of a file; undefined for text. If the first bytes are neither compressed data nor text, the
 *  file is damaged: then the compression follows from the name. */
function compressionOfFile(path: string): Compression | undefined {
  const head = bytesAt(path, 0, MAGIC_BYTES)
  const found = compressionOf(head)
  if (found !== undefined || (head.length > 0 && isText(head[0]!))) return found
  if (path.endsWith('.gz')) return 'gzip'
  return path.endsWith('.zst') || isOpenSegment(path) ? 'zstd' : undefined
}

/** Returns whether `first` can begin a line of text, or a byte order mark. */
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
    start = compression === 'gzip' ? await skipPadding(end, padding) : end
  } while (compression === 'gzip' && padding(start).length > 0)
}

/** Inflates from `start` and returns the offset where the compressed data end. */
async function inflateFrom(path: string, compression: Compression, start: number, onChunk: OnChunk): Promise<number> {
  let length = 0
  const count: OnChunk = (chunk, fileBytes) => {
    length += chunk.length
    onChunk(chunk, fileBytes)
  }
  const inflater = newInflater(compression, INFLATED_BYTES)
  const place: FilePosition = { offset: start, bytewiseFrom: Number.POSITIVE_INFINITY }
  try {
    await inflate(path, inflater, place, count)
    return start + inflater.bytesWritten
  } catch (error) {
    // A truncated file fails after its last piece. If the data are damaged, the inflater drops its output of the piece
    // that it failed on. Reading that piece again byte by byte recovers what comes before the damage.
    if (inflater.errored === null || (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') throw error
    const onRest: OnChunk = (chunk, fileBytes) => {
      const known = Math.min(length, chunk.length)
      length -= known
      if (known < chunk.length) onChunk(chunk.subarray(known), fileBytes)
    }
    const again: FilePosition = { offset: start, bytewiseFrom: place.offset }
    await inflate(path, newInflater(compression, INFLATED_BYTES), again, onRest).catch((failure) => {
      if (failure instanceof DataError) throw failure
    })
    throw new Error(inflateFault(error))
  }
}

/** Inflates a file piece by piece. The inflater runs in its own thread: while it works on one piece, this thread passes
 *  on the output of the piece before. */
async function inflate(path: string, inflater: Inflater, place: FilePosition, onChunk: OnChunk): Promise<void> {
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
      ahead.flush()
      await Promise.race([written, ended])
      place.offset += count
    }
    inflater.end()
    ahead.flush()
    await ended
  } finally {
    ahead.flush()
    closeSync(file)
    inflater.destroy()
  }
}

/** Queues chunks between their inflation and their use. If a piece inflates to too many bytes, its chunks are used at
 *  once. */
class ChunkQueue {
  readonly #use: (chunk: Uint8Array) => void
  #chunks: Uint8Array[] = []
  #bytes = 0
  /** Buffer of the previous chunk. */
  #buffer: ArrayBuffer | undefined

  constructor(use: (chunk: Uint8Array) => void) {
    this.#use = use
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > AHEAD_BYTES_MAX) this.flush()
  }

  flush(): void {
    const chunks = this.#chunks
    this.#chunks = []
    this.#bytes = 0
    for (const { buffer, byteOffset, byteLength } of chunks) {
      this.#release(buffer as ArrayBuffer)
      // Do not use `slice`: on a Node buffer it copies nothing.
      this.#use(new Uint8Array(buffer, byteOffset, byteLength))
    }
  }

  // Frees the previous buffer when the inflater starts the next one: the inflater fills one buffer after the other. The
  // memory can then be reused at once; otherwise the engine holds it until the next garbage collection.
  #release(next: ArrayBuffer): void {
    if (next === this.#buffer || next.byteLength < INFLATED_BYTES) return
    this.#buffer?.transfer(0)
    this.#buffer = next
  }
}

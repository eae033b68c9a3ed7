// Computes the rest of a slow client's answer at once and stores it compressed. Then the data that the answer is made
// from (13 MB for a day of buckets, 4 MB for a decoded block) can be released. Compression makes JSON 10 to 20 times
// smaller.

import { ANSWERING, collectGarbage } from '../collect-garbage.ts'

const LEVEL_1 = { level: 1 } as const
/** Size of a packed chunk before compression. It is smaller than a usual chunk, because a few chunks of each slow
 *  client are on their way unpacked, and take memory. */
const CHUNK_BYTES = 64 * 1_024

/** `bytes` is the packed size. */
export type Packed = { chunks: Iterator<Uint8Array>; bytes: number }

/** Packs all remaining chunks, and takes over their buffers. Yields to other work of the thread between chunks. */
export async function packChunks(chunks: Iterator<Uint8Array>): Promise<Packed> {
  const packed: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    packChunk(packed, next.value)
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage(ANSWERING)
  }
  return { chunks: unpacked(packed), bytes: packed.reduce((sum, { length }) => sum + length, 0) }
}

/** Packs the chunks without yielding, for chunks that are written in milliseconds. */
export function packAtOnce(chunks: Iterator<Uint8Array>): Iterator<Uint8Array> {
  const packed: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) packChunk(packed, next.value)
  return unpacked(packed)
}

function packChunk(packed: Uint8Array[], chunk: Uint8Array): void {
  for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
    packed.push(Bun.zstdCompressSync(chunk.subarray(start, start + CHUNK_BYTES) as Uint8Array<ArrayBuffer>, LEVEL_1))
  }
  // Free the buffer now: a day has 39 MB of chunks, and they are made faster than the garbage collector frees them.
  ;(chunk.buffer as ArrayBuffer).transfer(0)
}

function* unpacked(packed: Uint8Array[]): Generator<Uint8Array> {
  packed.reverse()
  for (let chunk = packed.pop(); chunk; chunk = packed.pop()) {
    yield ownBytes(Bun.zstdDecompressSync(chunk as Uint8Array<ArrayBuffer>))
  }
}

/** Returns bytes with their own buffer, because a chunk is transferred with its whole buffer. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

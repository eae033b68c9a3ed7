// The rest of an answer whose client is slow, made at once and kept compressed. What it was made from (a day of buckets
// takes 13 MB, a decoded block 4) is let go; JSON packs to a tenth or a twentieth.

import { ANSWERING, collectGarbage } from '../collect-garbage.ts'

const LEVEL_1 = { level: 1 } as const
/** A slow client has some chunks under way, unpacked: they are smaller than those of a fast one. */
const CHUNK_BYTES = 64 * 1_024

/** `bytes` is what they are held in. */
export type Packed = { chunks: Iterator<Uint8Array>; bytes: number }

/** Takes all that is left of `chunks`, whose buffers are its own from then on. Between two of them other work of the
 *  thread gets its turn. */
export async function packChunks(chunks: Iterator<Uint8Array>): Promise<Packed> {
  const packed: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    packChunk(packed, next.value)
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage(ANSWERING)
  }
  return { chunks: unpacked(packed), bytes: packed.reduce((sum, { length }) => sum + length, 0) }
}

/** The same without a turn for anybody else: for what is written in milliseconds. */
export function packAtOnce(chunks: Iterator<Uint8Array>): Iterator<Uint8Array> {
  const packed: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) packChunk(packed, next.value)
  return unpacked(packed)
}

function packChunk(packed: Uint8Array[], chunk: Uint8Array): void {
  for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
    packed.push(Bun.zstdCompressSync(chunk.subarray(start, start + CHUNK_BYTES) as Uint8Array<ArrayBuffer>, LEVEL_1))
  }
  // A day comes to 39 MB of them, faster than they would be collected.
  ;(chunk.buffer as ArrayBuffer).transfer(0)
}

function* unpacked(packed: Uint8Array[]): Generator<Uint8Array> {
  packed.reverse()
  for (let chunk = packed.pop(); chunk; chunk = packed.pop()) {
    yield ownBytes(Bun.zstdDecompressSync(chunk as Uint8Array<ArrayBuffer>))
  }
}

/** A chunk is handed over with its whole buffer, which must be its own. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

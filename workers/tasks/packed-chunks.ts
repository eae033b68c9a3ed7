// The rest of an answer whose client is slow, made at once and kept compressed. What it was made from (a day of buckets
// takes 13 MB) is let go; JSON of buckets packs to a twentieth.

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { ANSWERING, collectGarbage } from '../collect-garbage.ts'

const LEVEL_1 = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Takes all that is left of `chunks`. Between two of them other work of the thread gets its turn. */
export async function packChunks(chunks: Iterator<Uint8Array>): Promise<Iterator<Uint8Array>> {
  const packed: Uint8Array[] = []
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    packed.push(zstdCompressSync(next.value, LEVEL_1))
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage(ANSWERING)
  }
  return unpacked(packed.reverse())
}

function* unpacked(last: Uint8Array[]): Generator<Uint8Array> {
  for (let chunk = last.pop(); chunk; chunk = last.pop()) yield ownBytes(zstdDecompressSync(chunk))
}

/** A chunk is handed over with its whole buffer, which must be its own. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

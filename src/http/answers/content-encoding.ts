// Negotiates the encoding that a client accepts and compresses bodies with it (RFC 9110, section 12.5.3). Compression
// runs on the runtime's own threads, at level 1: a higher level takes longer than it saves on most connections. Cached
// assets use a higher level.

import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, createZstdCompress, gzip, zstdCompress } from 'node:zlib'
import Negotiator from 'negotiator'
import { ANSWERING, countReleased } from '../../../workers/collect-garbage.ts'
import type { Follow } from '../../../workers/requests.ts'

export type ContentEncoding = 'identity' | 'gzip' | 'zstd'

/** A body: in one piece, in several ready pieces, or in chunks that are made as they are read. */
export type Body =
  | { bytes: Uint8Array }
  | { pieces: Uint8Array[] }
  | { chunks: AsyncIterator<Uint8Array>; follow?: Follow }

/** Order between encodings that a client likes equally: zstd is smaller and faster. */
const PREFERRED: readonly ContentEncoding[] = ['zstd', 'gzip', 'identity']
/** An option that Negotiator's type declarations lack: the order among equal encodings. */
type Encodings = {
  encodings(offered: typeof PREFERRED, options: { preferred: typeof PREFERRED }): ContentEncoding[]
}

/** A shorter body fits into one or two packets uncompressed. */
const BYTES_MIN = 1_024

const levels = ({ gzip, zstd }: { gzip: number; zstd: number }) => ({
  gzip: { level: gzip },
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: zstd } },
})
const FAST = levels({ gzip: 1, zstd: 1 })
/** Levels for cached bodies: a quarter smaller, at 0.1 s for the largest asset. */
export const SMALL = levels({ gzip: 9, zstd: 12 })
const compressBytes = { gzip: promisify(gzip), zstd: promisify(zstdCompress) }

/** Returns the encoding for an answer; `identity` if there is no Accept-Encoding, or if it allows none of our
 *  encodings. */
export function acceptedEncoding(request: Request): ContentEncoding {
  const accepted = request.headers.get('accept-encoding')
  if (accepted === null) return 'identity'
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } }) as unknown as Encodings
  return negotiator.encodings(PREFERRED, { preferred: PREFERRED })[0] ?? 'identity'
}

/** Encodes a body, unless it is short. Resolves to the body and the encoding that it now has. */
export async function encoded(
  body: Body,
  wanted: ContentEncoding,
  level: typeof FAST = FAST,
): Promise<{ body: Body; encoding: ContentEncoding }> {
  if (wanted === 'identity' || ('bytes' in body && body.bytes.length < BYTES_MIN)) return { body, encoding: 'identity' }
  if ('bytes' in body) {
    const options = level[wanted] as object
    return { body: { bytes: await compressBytes[wanted](body.bytes, options) }, encoding: wanted }
  }
  if ('pieces' in body) return encoded({ bytes: Buffer.concat(body.pieces) }, wanted, level)
  const { chunks, follow } = body
  return { body: { chunks: compressed(chunks, wanted), ...(follow && { follow }) }, encoding: wanted }
}

/** Compresses the chunks. Ends the iterator of the chunks when the reader stops, and fails when that iterator fails. */
async function* compressed(chunks: AsyncIterator<Uint8Array>, wanted: 'gzip' | 'zstd'): AsyncGenerator<Uint8Array> {
  const compressor: Transform = wanted === 'gzip' ? createGzip(FAST.gzip) : createZstdCompress(FAST.zstd)
  // The compressor passes a failure on to the reader.
  pipeline(Readable.from(countingGarbage(chunks)), compressor, () => undefined)
  try {
    for await (const bytes of compressor) yield bytes as Uint8Array
  } finally {
    compressor.destroy()
    await chunks.return?.()
  }
}

/** Counts the uncompressed chunks as garbage of this thread once they are compressed. */
async function* countingGarbage(chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    yield next.value
    countReleased(next.value.length, ANSWERING)
  }
}

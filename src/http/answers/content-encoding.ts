// Which encoding a client takes, and bodies compressed with it: RFC 9110, section 12.5.3. Compression runs on the
// runtime's own threads; level 1, since the way to most clients is shorter than a higher one would take. What is
// kept is compressed further.

import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, createZstdCompress, gzip, zstdCompress } from 'node:zlib'
import Negotiator from 'negotiator'
import { ANSWERING, letGo } from '../../../workers/collect-garbage.ts'
import type { Follow } from '../../../workers/requests.ts'

export type ContentEncoding = 'identity' | 'gzip' | 'zstd'

/** A body: in one piece, in some that are there, or in chunks that are made as they are taken. */
export type Body =
  | { bytes: Uint8Array }
  | { pieces: Uint8Array[] }
  | { chunks: AsyncIterator<Uint8Array>; follow?: Follow }

/** Of two that a client likes alike, zstd: it is smaller and faster. */
const PREFERRED: readonly ContentEncoding[] = ['zstd', 'gzip', 'identity']
/** What its declarations lack: the order among those that a client likes alike. */
type Encodings = {
  encodings(offered: typeof PREFERRED, options: { preferred: typeof PREFERRED }): ContentEncoding[]
}

/** Below this a body fits into a packet or two as it is. */
const BYTES_MIN = 1_024

const levels = ({ gzip, zstd }: { gzip: number; zstd: number }) => ({
  gzip: { level: gzip },
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: zstd } },
})
const FAST = levels({ gzip: 1, zstd: 1 })
/** For what is kept: smaller by a quarter, in a tenth of a second for the largest asset. */
export const SMALL = levels({ gzip: 9, zstd: 12 })
const compressBytes = { gzip: promisify(gzip), zstd: promisify(zstdCompress) }

/** A client that says nothing gets the bytes as they are, and so does one that takes none of ours. */
export function acceptedEncoding(request: Request): ContentEncoding {
  const accepted = request.headers.get('accept-encoding')
  if (accepted === null) return 'identity'
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted } }) as unknown as Encodings
  return negotiator.encodings(PREFERRED, { preferred: PREFERRED })[0] ?? 'identity'
}

/** Resolves to the encoding that was taken: a short body stays as it is. */
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

/** Ends the chunks when it is left, and fails when they do. */
async function* compressed(chunks: AsyncIterator<Uint8Array>, wanted: 'gzip' | 'zstd'): AsyncGenerator<Uint8Array> {
  const compressor: Transform = wanted === 'gzip' ? createGzip(FAST.gzip) : createZstdCompress(FAST.zstd)
  // A failure reaches the reader through the compressor.
  pipeline(Readable.from(lettingGo(chunks)), compressor, () => undefined)
  try {
    for await (const bytes of compressor) yield bytes as Uint8Array
  } finally {
    compressor.destroy()
    await chunks.return?.()
  }
}

/** What was compressed is this thread's garbage. */
async function* lettingGo(chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    yield next.value
    letGo(next.value.length, ANSWERING)
  }
}

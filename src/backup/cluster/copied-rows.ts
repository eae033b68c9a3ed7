// Rows of a table as a file of a backup: compressed, with a checksum that is computed on the way.

import { createReadStream, createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { syncFile } from '../../../storage/data-folder/replacement.ts'
import type { Digest } from '../file-digest.ts'

/** The file is on the disk when this resolves. Rejects where it exists. */
export async function writeRows(
  path: string,
  rows: AsyncIterable<Uint8Array>,
  { compressed }: { compressed: boolean },
): Promise<Digest> {
  const { through, digest } = digesting()
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const source = Readable.from(rows, { objectMode: false })
  await (compressed ? pipeline(source, createZstdCompress(), through, file) : pipeline(source, through, file))
  syncFile(path)
  return digest()
}

/** Calls `onEnd` with the file's checksum after the last row; it may throw. */
export async function* readRows(path: string, onEnd: (digest: Digest) => void): AsyncGenerator<Uint8Array> {
  const { through, digest } = digesting()
  const rows = createZstdDecompress()
  const reading = pipeline(createReadStream(path), through, rows)
  reading.catch(() => undefined)
  for await (const chunk of rows) yield chunk as Uint8Array
  await reading
  onEnd(digest())
}

function digesting(): { through: Transform; digest: () => Digest } {
  const hasher = new Bun.CryptoHasher('sha256')
  let bytes = 0
  const through = new Transform({
    transform(chunk: Uint8Array, _, done) {
      hasher.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { through, digest: () => ({ bytes, sha256: hasher.digest('hex') }) }
}

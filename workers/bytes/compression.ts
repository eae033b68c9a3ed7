// Detects the compression of a file from its first bytes, regardless of its name, and creates the inflater. A file may
// have many members: node:zlib reads all of them (Bun.gunzipSync stops after the first).

import { createGunzip, createZstdDecompress } from 'node:zlib'

export type Compression = 'gzip' | 'zstd'
export type Inflater = ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>

/** Number of first bytes that identify a compression. */
export const MAGIC_BYTES = 4
/** A zstd file may begin with a skippable frame. The first byte of that frame is one of sixteen values, 0x50 to
 *  0x5f. */
const SKIPPABLE = 0x50
const MAGICS: [Compression, number[]][] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['zstd', [SKIPPABLE, 0x2a, 0x4d, 0x18]],
]

/** Returns the compression of a file by its first bytes; undefined for empty or uncompressed bytes. Compares only the
 *  first bytes of the magic number if the file is shorter than it. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  if (head.length === 0) return undefined
  const first = (head[0]! & 0xf0) === SKIPPABLE ? SKIPPABLE : head[0]
  const isBegun = ([magic, ...rest]: number[]) =>
    magic === first && rest.every((byte, i) => i + 1 >= head.length || byte === head[i + 1])
  return MAGICS.find(([, magic]) => isBegun(magic))?.[0]
}

export const newInflater = (compression: Compression, chunkSize: number): Inflater =>
  compression === 'gzip' ? createGunzip({ chunkSize }) : createZstdDecompress({ chunkSize })

/** Skips zeros after a gzip member, which the inflater mistakes for the end of the file. Returns the position of the
 *  next byte that is not zero. `read` returns bytes from a position on, and no bytes at the end of the file. */
export async function skipPadding(
  start: number,
  read: (start: number) => Uint8Array | Promise<Uint8Array>,
): Promise<number> {
  for (let at = start; ; ) {
    const bytes = await read(at)
    const zeros = bytes.findIndex((byte) => byte !== 0)
    if (zeros >= 0) return at + zeros
    if (bytes.length === 0) return at
    at += bytes.length
  }
}

/** Returns why an inflater failed, and what to do about it. */
export function inflateFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ZSTD_error_frameParameter_windowTooLarge') return message
  return 'a frame of zstd needs more than 128 MB of memory: unpack the file first (zstd -d --long=31)'
}

// How a file is compressed, which its first bytes say and not its name, and what inflates it. A file may have many
// members: node:zlib reads them all (Bun.gunzipSync stops after the first).

import { createGunzip, createZstdDecompress } from 'node:zlib'

export type Compression = 'gzip' | 'zstd'
export type Inflater = ReturnType<typeof createGunzip> | ReturnType<typeof createZstdDecompress>

/** So many first bytes say it. */
export const MAGIC_BYTES = 4
/** A frame of zstd that is to be skipped may come first: its first byte is one of sixteen. */
const SKIPPABLE = 0x50
const MAGICS: [Compression, number[]][] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['zstd', [SKIPPABLE, 0x2a, 0x4d, 0x18]],
]

/** Undefined for bytes that are neither, or none. A file that ends within its first bytes is what it begins as. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  if (head.length === 0) return undefined
  const first = (head[0]! & 0xf0) === SKIPPABLE ? SKIPPABLE : head[0]
  const isBegun = ([magic, ...rest]: number[]) =>
    magic === first && rest.every((byte, i) => i + 1 >= head.length || byte === head[i + 1])
  return MAGICS.find(([, magic]) => isBegun(magic))?.[0]
}

export const newInflater = (compression: Compression, chunkSize: number): Inflater =>
  compression === 'gzip' ? createGunzip({ chunkSize }) : createZstdDecompress({ chunkSize })

/** Where bytes are again that are not zero: the inflater of gzip takes zeros behind a member for the end. `read` gives
 *  some bytes from a place on, none at the end of the file. */
export async function behindPadding(
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

/** Why an inflater failed, with what to do about it. */
export function inflateFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ZSTD_error_frameParameter_windowTooLarge') return message
  return 'a frame of zstd needs more than 128 MB of memory: unpack the file first (zstd -d --long=31)'
}

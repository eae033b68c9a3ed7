// The outer wrapping of a column: zstd if that makes it smaller, else the plain bytes. Columns are compressed one by
// one, so that each gets its own statistics and can be read without the others. A column can also be packed in parts,
// each with its own statistics.

import { constants, zstdCompressSync } from 'node:zlib'

const PLAIN = 0
const ZSTD = 1
const PARTS = 2

// On the real Kalshi captures, level 9 saves 0.1 % for 1.5 times the compression time, level 12 saves 1 % for 3 times.
const ZSTD_LEVEL = 6
// An append writes a few small texts. Level 6 would take 1.5 times as long and save 1 %.
const SMALL_TEXT_BYTES = 2_048
const SMALL_TEXT_LEVEL = 3
const WORTH_TRYING_BYTES = 48
const WORTH_CHOOSING_BYTES = 512
const PARTS_MAX = 255

// The bytes of most columns have a skewed distribution but no repetition. There zstd's search costs time and finds only
// chance matches, which cost more than the bytes themselves. These parameters make zstd search hardly at all: the size
// is that of its Huffman codes.
const CODES_ONLY = {
  [constants.ZSTD_c_strategy]: constants.ZSTD_fast,
  [constants.ZSTD_c_minMatch]: 7,
  [constants.ZSTD_c_windowLog]: 14,
  [constants.ZSTD_c_hashLog]: 6,
  [constants.ZSTD_c_targetLength]: 0,
}

/** Compresses bytes without loss: `unpack(pack(bytes))` equals `bytes`. */
export function pack(bytes: Uint8Array): Uint8Array {
  if (bytes.length < WORTH_TRYING_BYTES) return withSkin(PLAIN, bytes)
  const compressed = compress(bytes)
  return compressed.length < bytes.length ? withSkin(ZSTD, compressed) : withSkin(PLAIN, bytes)
}

/** Like `pack`, for bytes that are known to repeat themselves. */
export function packText(bytes: Uint8Array): Uint8Array {
  const level = bytes.length < SMALL_TEXT_BYTES ? SMALL_TEXT_LEVEL : ZSTD_LEVEL
  const compressed = Bun.zstdCompressSync(bytes as Uint8Array<ArrayBuffer>, { level })
  return compressed.length < bytes.length ? withSkin(ZSTD, compressed) : withSkin(PLAIN, bytes)
}

/** Like `pack`, for bytes whose parts do not resemble each other: part i is bytes[ends[i - 1] .. ends[i]). */
export function packParts(bytes: Uint8Array, ends: number[]): Uint8Array {
  if (ends.length < 2 || ends.length > PARTS_MAX) return pack(bytes)
  const parts = ends.map((end, i) => pack(bytes.subarray(i === 0 ? 0 : ends[i - 1]!, end)))
  const headerBytes = 2 + 8 * parts.length
  const packed = new Uint8Array(parts.reduce((sum, part) => sum + part.length, headerBytes))
  const view = new DataView(packed.buffer)
  packed[0] = PARTS
  packed[1] = parts.length
  let at = headerBytes
  parts.forEach((part, i) => {
    view.setUint32(2 + 8 * i, ends[i]! - (i === 0 ? 0 : ends[i - 1]!), true)
    view.setUint32(6 + 8 * i, part.length, true)
    packed.set(part, at)
    at += part.length
  })
  return packed
}

/** Throws RangeError for bytes that neither `pack` nor `packParts` made. */
export function unpack(packed: Uint8Array): Uint8Array {
  if (packed[0] === PARTS) return unpackParts(packed)
  const inner = packed.subarray(1)
  if (packed[0] === PLAIN) return inner
  if (packed[0] !== ZSTD) throw new RangeError(`column has the unknown skin ${packed[0]}`)
  try {
    return Bun.zstdDecompressSync(inner)
  } catch {
    throw new RangeError('column does not decompress')
  }
}

function unpackParts(packed: Uint8Array): Uint8Array {
  const partCount = packed[1] ?? 0
  const headerBytes = 2 + 8 * partCount
  if (packed.length < headerBytes) throw new RangeError('column is shorter than the list of its parts')
  const view = new DataView(packed.buffer, packed.byteOffset, headerBytes)
  const parts: Uint8Array[] = []
  let length = 0
  let start = headerBytes
  for (let i = 0; i < partCount; i++) {
    const end = start + view.getUint32(6 + 8 * i, true)
    const part = unpack(packed.subarray(start, end))
    if (part.length !== view.getUint32(2 + 8 * i, true)) throw new RangeError('part of a column has the wrong length')
    parts.push(part)
    length += part.length
    start = end
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

// A quick search shows whether there are matches at all. If there are none, the thorough search is not worth its time.
function compress(bytes: Uint8Array): Uint8Array {
  if (bytes.length < WORTH_CHOOSING_BYTES) return Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL })
  const searched = Bun.zstdCompressSync(bytes, { level: 1 })
  if (searched.length >= bytes.length) return searched
  const coded = zstdCompressSync(bytes, { params: CODES_ONLY, pledgedSrcSize: bytes.length })
  if (coded.length <= searched.length) return coded
  const found = Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL })
  return found.length < searched.length ? found : searched
}

function withSkin(skin: number, bytes: Uint8Array): Uint8Array {
  const packed = new Uint8Array(bytes.length + 1)
  packed[0] = skin
  packed.set(bytes, 1)
  return packed
}

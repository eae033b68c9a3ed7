// The outer skin of a column: zstd where that makes it smaller, else the bytes as they are.
// Columns are compressed one by one, so that each gets its own statistics and can be read without the others.

const PLAIN = 0
const ZSTD = 1

// Real Kalshi captures take 4.80 bytes a record at level 3, 4.68 at 6, 4.64 at 9 and 4.55 at 12; compressing is a tenth
// of the time of loading at 6, a third at 12.
const ZSTD_LEVEL = 6
const WORTH_TRYING_BYTES = 48

/** Never loses: `unpack(pack(bytes))` equals `bytes`. */
export function pack(bytes: Uint8Array): Uint8Array {
  if (bytes.length >= WORTH_TRYING_BYTES) {
    const compressed = Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL })
    if (compressed.length < bytes.length) return withSkin(ZSTD, compressed)
  }
  return withSkin(PLAIN, bytes)
}

/** Throws RangeError on bytes that `pack` did not make. */
export function unpack(packed: Uint8Array): Uint8Array {
  const inner = packed.subarray(1)
  if (packed[0] === PLAIN) return inner
  if (packed[0] !== ZSTD) throw new RangeError(`column has the unknown skin ${packed[0]}`)
  try {
    return Bun.zstdDecompressSync(inner)
  } catch {
    throw new RangeError('column does not decompress')
  }
}

function withSkin(skin: number, bytes: Uint8Array): Uint8Array {
  const packed = new Uint8Array(bytes.length + 1)
  packed[0] = skin
  packed.set(bytes, 1)
  return packed
}

// Runs of equal values and groups of packed ones, as Parquet keeps levels and places in a dictionary
// (parquet.apache.org, "Run Length Encoding / Bit-Packing Hybrid").

export const HYBRID_BITS_MAX = 24

/** Fills the first `count` of `into`. Returns where the bytes that it took end. Throws where they end too early. */
export function readHybrid(
  bytes: Uint8Array,
  start: number,
  end: number,
  bits: number,
  into: Uint8Array | Uint32Array,
  count: number,
): number {
  if (bits > HYBRID_BITS_MAX) throw new Error(`values of ${bits} bits are wider than ${HYBRID_BITS_MAX}`)
  if (bits === 0) {
    into.fill(0, 0, count)
    return start
  }
  const mask = 2 ** bits - 1
  const runBytes = (bits + 7) >> 3
  let at = start
  let done = 0
  while (done < count) {
    let header = 0
    for (let shift = 0; ; shift += 7) {
      if (at >= end) throw new Error('its runs end too early')
      const byte = bytes[at++]!
      header += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    if (header % 2 === 0) {
      let value = 0
      if (at + runBytes > end) throw new Error('its runs end too early')
      for (let i = 0; i < runBytes; i++) value |= bytes[at++]! << (8 * i)
      const runEnd = Math.min(count, done + header / 2)
      into.fill(value, done, runEnd)
      done = runEnd
      continue
    }
    const packed = ((header - 1) / 2) * 8
    const taken = Math.min(packed, count - done)
    if (at + Math.ceil((taken * bits) / 8) > end) throw new Error('its runs end too early')
    let held = 0
    let heldBits = 0
    let from = at
    for (let i = 0; i < taken; i++) {
      while (heldBits < bits) {
        held |= bytes[from++]! << heldBits
        heldBits += 8
      }
      into[done + i] = held & mask
      held >>>= bits
      heldBits -= bits
    }
    done += taken
    at += (packed * bits) / 8
  }
  return at
}

/** Bits that values up to this one need. */
export const bitsOf = (greatest: number): number => 32 - Math.clz32(greatest)

// Packs small integers into 1, 2 or 4 bits each, the first in the lowest bits of a byte. A byte then holds several
// values, so an entropy coder, which spends at least one bit on a byte, can spend less than one bit on a value.

/** Returns the bits per value, 1, 2 or 4, for values from 0 to `valueMax`, which is at most 15. */
export function bitsFor(valueMax: number): number {
  if (valueMax < 2) return 1
  return valueMax < 4 ? 2 : 4
}

export const packedBytes = (count: number, bits: number): number => Math.ceil((count * bits) / 8)

/** Writes the first `count` values, each minus `base`, into zeroed bytes. */
export function writeBits(values: Float64Array, count: number, base: number, bits: number, target: Uint8Array): void {
  const perByte = 8 / bits
  let at = 0
  for (let i = 0; i < count; at++) {
    let byte = 0
    const end = Math.min(count, i + perByte)
    for (let shift = 0; i < end; i++, shift += bits) byte |= (values[i]! - base) << shift
    target[at] = byte
  }
}

/** Reads as many values as `values` has room for. */
export function readBits(source: Uint8Array, bits: number, values: Float64Array | Uint16Array): void {
  const count = values.length
  const mask = (1 << bits) - 1
  let at = 0
  for (let i = 0; i < count; ) {
    let byte = source[at++]!
    for (let shift = 0; shift < 8 && i < count; shift += bits) {
      values[i++] = byte & mask
      byte >>>= bits
    }
  }
}

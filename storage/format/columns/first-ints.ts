// Cuts an encoded integer column to its first values, for readers of part of a block. The result is a column of only
// these values, so only these are decoded. Copying the start of each plane costs next to nothing.

import { packedBytes } from './bits.ts'
import { BITS, CONSTANT, DICTIONARY, FLOAT, HEADER_BYTES } from './int-column.ts'

/** Throws RangeError if the column has fewer than `count` values. */
export function firstInts(bytes: Uint8Array, count: number): Uint8Array {
  if (bytes.length < HEADER_BYTES || bytes[0] === CONSTANT) return bytes
  if (bytes[0] === BITS) return bytes.slice(0, HEADER_BYTES + packedBytes(count, bytes[1]!))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isDictionary = bytes[0] === DICTIONARY && bytes.length >= HEADER_BYTES + 4
  const start = isDictionary ? HEADER_BYTES + 4 + view.getUint32(HEADER_BYTES, true) : HEADER_BYTES
  const valueBytes = bytes[1]!
  const planes = bytes[0] === FLOAT ? 1 : valueBytes
  const planeBytes = (bytes.length - start) / planes
  const cutBytes = bytes[0] === FLOAT ? valueBytes * count : count
  if (!(Number.isInteger(planeBytes) && planeBytes >= cutBytes)) {
    throw new RangeError(`integer column has ${bytes.length} bytes, too few for ${count} values`)
  }
  const cut = new Uint8Array(start + planes * cutBytes)
  cut.set(bytes.subarray(0, start))
  for (let plane = 0; plane < planes; plane++) {
    const from = start + plane * planeBytes
    cut.set(bytes.subarray(from, from + cutBytes), start + plane * cutBytes)
  }
  return cut
}

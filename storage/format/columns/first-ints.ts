// Cuts an encoded integer column to its first values, for readers of part of a block. The result is a column of only
// these values, so only these are decoded. Copying the start of each plane costs next to nothing.

import { packedBytes } from './bits.ts'
import { BITS, CONSTANT, FLOAT, HEADER_BYTES, planesOf } from './int-column.ts'

/** Throws RangeError if the column has fewer than `count` values. */
export function firstInts(bytes: Uint8Array, count: number): Uint8Array {
  if (bytes.length < HEADER_BYTES || bytes[0] === CONSTANT) return bytes
  if (bytes[0] === BITS) return bytes.slice(0, HEADER_BYTES + packedBytes(count, bytes[1]!))
  const { start, width: planes } = planesOf(bytes)
  const planeBytes = (bytes.length - start) / planes
  const cutBytes = bytes[0] === FLOAT ? bytes[1]! * count : count
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

// Compresses an integer column, each byte plane by itself. The low bytes of most columns are close to noise and the
// high bytes close to constant; a code made for both together fits neither.

import { encodeInts, planesOf } from './int-column.ts'
import { packParts } from './packed.ts'

const SPLIT_COUNT_MIN = 256

export const packInts = (values: Float64Array, count: number): Uint8Array => packEncoded(encodeInts(values, count))

/** Packs the output of `encodeInts`. */
export function packEncoded(encoded: Uint8Array): Uint8Array {
  const { start, width } = planesOf(encoded)
  const planeBytes = (encoded.length - start) / width
  const ends: number[] = []
  // A few bytes or a dictionary come before the planes. Only a dictionary gets a part of its own, because a few bytes
  // do not need one.
  if (planeBytes >= SPLIT_COUNT_MIN) {
    if (start >= SPLIT_COUNT_MIN) ends.push(start)
    for (let plane = 1; plane <= width; plane++) ends.push(start + plane * planeBytes)
  }
  return packParts(encoded, ends)
}

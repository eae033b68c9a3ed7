// How small an entropy coder would make a column, estimated without one: which form to choose.

import { planeWidth, writePlanes } from './planes.ts'

/** Bits for the byte planes of non-negative integers, each byte by itself. */
export function planesEntropyBits(values: Float64Array): number {
  const count = values.length
  let max = 0
  for (let i = 0; i < count; i++) if (values[i]! > max) max = values[i]!
  const width = planeWidth(max)
  const bytes = new Uint8Array(width * count)
  writePlanes(values, count, width, bytes, 0)
  const histogram = new Uint32Array(256)
  let bits = 0
  for (let plane = 0; plane < width; plane++) {
    histogram.fill(0)
    for (let i = 0; i < count; i++) histogram[bytes[plane * count + i]!]!++
    for (let byte = 0; byte < 256; byte++)
      if (histogram[byte]! > 0) bits += histogram[byte]! * Math.log2(count / histogram[byte]!)
  }
  return bits
}

/** Bits for the same as indexes into a dictionary. A word costs about as much as two values; a sample of mostly
 *  distinct values never gains from one. */
export function dictionaryEntropyBits(values: Float64Array): number {
  const frequencies = new Map<number, number>()
  for (let i = 0; i < values.length; i++) frequencies.set(values[i]!, (frequencies.get(values[i]!) ?? 0) + 1)
  if (frequencies.size > values.length / 4) return Number.POSITIVE_INFINITY
  let bits = frequencies.size * 12
  frequencies.forEach((seen) => {
    bits += seen * Math.log2(values.length / seen)
  })
  return bits
}

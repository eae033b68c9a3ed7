// Estimates how small an entropy coder would make a column, without encoding it, so that a form can be chosen.

import { planeWidth, writePlanes } from './planes.ts'

/** The number of occurrences of each byte in a plane. All are zero again before the next plane. */
const histogram = new Uint32Array(256)

/** Maximum number of sampled values. */
export const SAMPLE_MAX = 1_024

/** The number of bits for all occurrences of one value in a sample of SAMPLE_MAX values. The index is the number of
 *  occurrences. */
const SAMPLE_BITS = Float64Array.from({ length: SAMPLE_MAX + 1 }, (_, seen) => bitsOf(seen, SAMPLE_MAX))

/** Estimates the number of bits for the byte planes of non-negative integers if each byte is coded by itself. */
export function planesEntropyBits(values: Float64Array): number {
  const count = values.length
  let max = 0
  for (let i = 0; i < count; i++) if (values[i]! > max) max = values[i]!
  const width = planeWidth(max)
  const bytes = new Uint8Array(width * count)
  writePlanes(values, count, width, bytes, 0)
  let bits = 0
  for (let plane = 0; plane < width; plane++) {
    const start = plane * count
    for (let i = start; i < start + count; i++) histogram[bytes[i]!]!++
    // Iterates over the plane, not over the histogram: a short column has far fewer than 256 bytes.
    for (let i = start; i < start + count; i++) {
      const seen = histogram[bytes[i]!]!
      histogram[bytes[i]!] = 0
      if (seen > 0) bits += count === SAMPLE_MAX ? SAMPLE_BITS[seen]! : bitsOf(seen, count)
    }
  }
  return bits
}

/** Estimates the number of bits for the values as indexes into a dictionary. Each word of the dictionary costs 12
 *  bits. Returns infinity if more than a quarter of the values are distinct: a dictionary never gains then. */
export function dictionaryEntropyBits(values: Float64Array): number {
  const { length: count } = values
  const frequencies = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const seen = frequencies.get(values[i]!) ?? 0
    if (seen === 0 && frequencies.size + 1 > count / 4) return Number.POSITIVE_INFINITY
    frequencies.set(values[i]!, seen + 1)
  }
  let bits = frequencies.size * 12
  frequencies.forEach((seen) => {
    bits += count === SAMPLE_MAX ? SAMPLE_BITS[seen]! : bitsOf(seen, count)
  })
  return bits
}

function bitsOf(seen: number, count: number): number {
  return seen * Math.log2(count / seen)
}

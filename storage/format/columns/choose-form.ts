// Chooses the smallest form of an integer column before any form is encoded.

import { dictionaryEntropyBits, planesEntropyBits, SAMPLE_MAX } from './entropy.ts'

/** Returns a signed step as a non-negative number, with its sign in the lowest bit. */
export const foldSign = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)

/** Chooses the form by the order-0 entropy of a sample's bytes. This entropy is close to the size that the compressor
 *  reaches later. */
export function chooseForm(values: Float64Array, count: number): 'frame' | 'delta' | 'dictionary' {
  const sampleCount = Math.min(count, SAMPLE_MAX)
  const start = (count - sampleCount) >>> 1
  const frames = new Float64Array(sampleCount)
  const steps = new Float64Array(sampleCount)
  let min = Number.POSITIVE_INFINITY
  let isRising = true
  for (let i = 0; i < sampleCount; i++) {
    const value = values[start + i]!
    if (value < min) min = value
    if (i > 0) steps[i] = value - values[start + i - 1]!
    if (steps[i]! < 0) isRising = false
  }
  for (let i = 0; i < sampleCount; i++) {
    frames[i] = values[start + i]! - min
    if (!isRising) steps[i] = foldSign(steps[i]!)
  }
  const frameBits = planesEntropyBits(frames)
  const deltaBits = planesEntropyBits(steps)
  const dictionaryBits = dictionaryEntropyBits(frames)
  if (deltaBits < frameBits && deltaBits <= dictionaryBits) return 'delta'
  return dictionaryBits < 0.98 * frameBits ? 'dictionary' : 'frame'
}

// Changes that can happen to a capture as a file: damaged bytes, other line ends, compression in one or several
// members, and compressed bytes that are damaged, cut off, or have the name of another format.

import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { Random } from '../../../../workers/synthetic/random.ts'

export type CaptureFile = {
  ending: string
  bytes: Uint8Array
  /** The text that a reader gets if it can read the whole file. */
  text: Uint8Array
  /** Whether a reader can get the whole text. If not, it may get only the beginning. */
  isWhole: boolean
}

/** Makes a file from the lines. It may be compressed and damaged. */
export function captureFile(lines: string[], random: Random): CaptureFile {
  const end = random.chance(0.85) ? '\n' : '\r\n'
  const mark = random.chance(0.05) ? '\uFEFF' : ''
  const last = random.chance(0.8) ? end : ''
  const clean = Buffer.from(mark + lines.join(end) + last)
  const text = random.chance(0.4) ? damaged(clean, random) : clean
  const kind = random.fraction()
  if (kind < 0.6) return { ending: random.pick(['ndjson', 'jsonl', 'txt', '']), bytes: text, text, isWhole: true }
  const ending = random.pick(['gz', 'zst'])
  const bytes = Buffer.concat(members(text, random).map((part) => compress(part, ending)))
  if (kind < 0.8) return { ending, bytes, text, isWhole: true }
  if (kind < 0.95) return { ending, bytes: broken(bytes, random), text, isWhole: false }
  // The first bytes of a file determine its format, whatever its name.
  const wrong = random.pick(['gz', 'zst'])
  return random.chance(0.5)
    ? { ending: wrong, bytes: text, text, isWhole: false }
    : { ending: 'ndjson', bytes, text, isWhole: true }
}

const compress = (bytes: Uint8Array, ending: string) => (ending === 'gz' ? gzipSync(bytes) : zstdCompressSync(bytes))

function members(text: Uint8Array, random: Random): Uint8Array[] {
  const cuts = Array.from({ length: random.pick([0, 0, 1, 5]) }, () => random.below(text.length + 1)).sort(
    (a, b) => a - b,
  )
  return [0, ...cuts].map((cut, i) => text.subarray(cut, cuts[i] ?? text.length))
}

function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  let result = Buffer.from(bytes)
  for (let count = random.pick([1, 2, 8, 60]); count > 0 && result.length > 0; count--) {
    const at = random.below(result.length)
    const kind = random.below(6)
    if (kind === 0) result[at]! ^= 1 << random.below(8)
    else if (kind === 1)
      result[at] = random.pick([0, 0x0a, 0x0d, 0x22, 0x5c, 0x7b, 0x7d, 0x80, 0xc0, 0xff, random.below(256)])
    else if (kind === 2) result = Buffer.concat([result.subarray(0, at), noise(random), result.subarray(at)])
    else if (kind === 3) result = Buffer.concat([result.subarray(0, at), result.subarray(at + random.between(1, 9))])
    else if (kind === 4) result.copyWithin(at, random.below(result.length), random.below(result.length))
    else if (random.chance(0.2)) result = result.subarray(0, at)
  }
  return result
}

const noise = (random: Random) => Buffer.from(Array.from({ length: random.between(1, 12) }, () => random.below(256)))

function broken(bytes: Uint8Array, random: Random): Uint8Array {
  const kind = random.below(4)
  if (kind === 0) return bytes.subarray(0, random.below(bytes.length))
  if (kind === 1) return Buffer.concat([bytes, noise(random)])
  if (kind === 2) return Buffer.concat([noise(random), bytes])
  return damaged(bytes, random)
}

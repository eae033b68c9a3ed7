// Reads the values of Kalshi trades in files that other publishers wrote.

import { venueTimeUs } from '../../venues/venue-time.ts'
import type { ByteFile } from '../byte-file.ts'

/** Highest factor by which JSON and CSV of trades shrink when compressed. */
const PACKED_TIMES = 16

const encoder = new TextEncoder()

/** Returns a time in Unix µs: from RFC 3339, from a date and a time with a space between them, or from a number; NaN
 *  for anything else. */
export function timeUsOf(value: unknown): number {
  if (typeof value !== 'string' && typeof value !== 'number') return Number.NaN
  const text = String(value)
  // 16 digits are µs, 19 digits are ns; the first 16 digits are µs in both. Read here, because the loader accepts
  // only s and ms.
  if (/^\d{16}$|^\d{19}$/.test(text)) return Number(text.slice(0, 16))
  const bytes = encoder.encode(text)
  return venueTimeUs(bytes, 0, bytes.length)
}

/** Returns the approximate number of bytes of a file's text, after decompression. */
export const messageBytesOf = ({ name, byteLength }: ByteFile): number =>
  /\.(?:gz|zst)(?:$|\?)/i.test(name) ? PACKED_TIMES * byteLength : byteLength

/** Returns the result of `read`; undefined if it throws. */
export function refused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Prints a time as Kalshi does: without trailing zeros in the fraction. */
export function instantText(us: number): string {
  const seconds = new Date(Math.floor(us / 1_000_000) * 1_000).toISOString().slice(0, -5)
  const fraction = String(us % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${seconds}${fraction === '' ? '' : '.'}${fraction}Z`
}

// What trades of Kalshi say, read from others' files.

import { venueTimeUs } from '../../venues/venue-time.ts'
import type { ByteFile } from '../byte-file.ts'

export const KALSHI_TICKER = /^[A-Za-z0-9._-]{1,128}$/
/** What JSON and CSV of trades pack to, at most. */
const PACKED_TIMES = 16

const encoder = new TextEncoder()

/** Microseconds of RFC 3339, of a date and a time with a space between them, or of a number; NaN for what is none. */
export function timeUsOf(value: unknown): number {
  if (typeof value !== 'string' && typeof value !== 'number') return Number.NaN
  const text = String(value)
  // By its digits: the loader takes numbers of s and ms alone.
  if (/^\d{16}$|^\d{19}$/.test(text)) return Number(text.slice(0, 16))
  const bytes = encoder.encode(text)
  return venueTimeUs(bytes, 0, bytes.length)
}

/** About how much text a file has. */
export const messageBytesOf = ({ name, byteLength }: ByteFile): number =>
  /\.(?:gz|zst)(?:$|\?)/i.test(name) ? PACKED_TIMES * byteLength : byteLength

/** Undefined where it throws. */
export function refused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As Kalshi prints a time: trailing zeros of the fraction are left out. */
export function instantText(us: number): string {
  const seconds = new Date(Math.floor(us / 1_000_000) * 1_000).toISOString().slice(0, -5)
  const fraction = String(us % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${seconds}${fraction === '' ? '' : '.'}${fraction}Z`
}

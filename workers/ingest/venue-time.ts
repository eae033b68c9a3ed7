// The venue's own time of a message, as it is printed: ms, s, or RFC 3339.

import { parseInstant } from '../../storage/columns/instant-text.ts'

export type TimeUnit = 'ms' | 's' | 'rfc3339'

/** Microseconds; NaN where the text is no time. */
export function venueTimeUs(bytes: Uint8Array, start: number, end: number, unit: TimeUnit): number {
  if (unit === 'rfc3339') return instantUs(bytes, start, end)
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) return looseNumberUs(bytes, start, end, unit)
    value = value * 10 + digit
  }
  if (start === end || value > 1e15) return Number.NaN
  return unit === 'ms' ? value * 1_000 : value * 1_000_000
}

// Spellings that venues do not use but archives do: an offset instead of Z, nine digits, trailing zeros.
function instantUs(bytes: Uint8Array, start: number, end: number): number {
  const canonical = parseInstant(bytes, start, end)
  if (!Number.isNaN(canonical)) return canonical
  const text = new TextDecoder().decode(bytes.subarray(start, end))
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/i.exec(text)
  if (parts === null) return Number.NaN
  const [, date, clock, fraction = '', zone = 'Z'] = parts
  const wholeMs = Date.parse(`${date}T${clock}${zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')}`)
  return wholeMs * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

function looseNumberUs(bytes: Uint8Array, start: number, end: number, unit: 'ms' | 's'): number {
  const value = Number(new TextDecoder().decode(bytes.subarray(start, end)))
  if (!Number.isFinite(value) || value < 0 || value > 1e15) return Number.NaN
  return Math.floor(unit === 'ms' ? value * 1_000 : value * 1_000_000)
}

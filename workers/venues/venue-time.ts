// Reads the venue's own time of a message in any spelling: ms or s as a number or in quotes, or RFC 3339. The spelling
// is decided anew for each value, because one field can hold different spellings.

import { parseInstant } from '../../storage/format/columns/instant-text.ts'

/** Numbers below this are seconds: as milliseconds they would be before 1973-03. */
export const SECONDS_BELOW = 1e11

const NUMBER_MAX = 1e15
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Spelling of the time that was read last. A column of whole milliseconds or of canonical RFC 3339 can store the
 *  time directly, without reading the text again. Valid after `venueTimeUs` returned a number. */
export const readTime = { isWholeMs: false, isCanonical: false }

/** A time of this many digits is in milliseconds; the minimum excludes leading zeros. */
const WHOLE_MS_DIGITS = 13
const WHOLE_MS_MIN = 1e12

/** Returns the time in Unix microseconds; NaN if the text is not a time. */
export function venueTimeUs(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  readTime.isWholeMs = false
  readTime.isCanonical = false
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) return instantUs(bytes, start, end)
    value = value * 10 + digit
  }
  readTime.isWholeMs = end - start === WHOLE_MS_DIGITS && value >= WHOLE_MS_MIN
  return start === end ? Number.NaN : numberUs(value)
}

/** Returns the time in a slot of a matched message, Unix microseconds; NaN if the slot is negative or holds no time. */
export function slotTimeUs(slot: number, bytes: Uint8Array, { starts, ends }: Slots): number {
  return slot < 0 ? Number.NaN : venueTimeUs(bytes, starts[slot]!, ends[slot]!)
}

/** Where the values of a matched message start and end, by slot. */
type Slots = { starts: ArrayLike<number>; ends: ArrayLike<number> }

/** Converts a number of seconds or milliseconds to Unix microseconds. Returns NaN if the number is negative or not
 *  below NUMBER_MAX. */
export function numberUs(value: number): number {
  if (!(value >= 0 && value < NUMBER_MAX)) return Number.NaN
  return Math.floor(value < SECONDS_BELOW ? value * 1_000_000 : value * 1_000)
}

// Reads canonical RFC 3339, and also spellings that only archives use: an offset instead of Z, nine decimals,
// trailing zeros, or a number with a decimal point or exponent.
function instantUs(bytes: Uint8Array, start: number, end: number): number {
  const canonical = parseInstant(bytes, start, end)
  if (!Number.isNaN(canonical)) {
    readTime.isCanonical = true
    return canonical
  }
  const text = decoder.decode(bytes.subarray(start, end))
  const number = /^(\d{1,15})(?:\.(\d+))?(e[+-]?\d{1,2})?$/i.exec(text)
  if (number !== null) return number[3] === undefined ? decimalUs(number[1]!, number[2] ?? '') : numberUs(Number(text))
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/i.exec(text)
  if (parts === null) return Number.NaN
  const [, date, clock, fraction = '', zone = 'Z'] = parts
  const wholeMs = Date.parse(`${date}T${clock}${zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')}`)
  return wholeMs * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

// Reads the digits instead of multiplying: 1786363200.123 times a million is slightly too small.
function decimalUs(whole: string, fraction: string): number {
  const value = Number(whole)
  const places = value < SECONDS_BELOW ? 6 : 3
  return value * 10 ** places + Number(fraction.padEnd(places, '0').slice(0, places))
}

// Writes numbers four digits at a time: the text of every four digits is a precomputed 32-bit word. The functions write
// whole words. So they overwrite up to seven bytes after the end that they return, and the caller must reserve room for
// these bytes.

import { printDecimal } from '../../storage/format/columns/decimal-text.ts'

/** Room for one number, including the bytes overwritten after it. */
export const NUMBER_ROOM = 40

const ZEROS = 0x3030_3030
const POINT = 0x2e
const MINUS = 0x2d
const POWERS = Float64Array.from({ length: 16 }, (_, places) => 10 ** places)
/** Quotients of numbers above this are not exact, so larger numbers are written digit by digit. */
const FAST_MAX = 1e15
const FAST_PLACES_MAX = 8

/** The texts of 0000 to 9999, first digit in the lowest byte. */
const fourDigits = textsOfFourDigits()

// The text of a value is the text of value / 10, shifted by one digit, with the last digit added. A thread computes
// this table before its first page.
function textsOfFourDigits(): Int32Array {
  const digits = new Int32Array(10_000)
  for (let value = 1; value < 10_000; value++) {
    const tenth = (value / 10) | 0
    digits[value] = (digits[tenth]! >>> 8) | ((value - 10 * tenth) << 24)
  }
  for (let value = 0; value < 10_000; value++) digits[value]! |= ZEROS
  return digits
}

/** Writes an integer of at least 0 and below 1e15; returns where its text ends. */
export function printWhole(view: DataView, start: number, value: number): number {
  if (value < 100_000_000) return printInt(view, start, value | 0)
  const high = Math.floor(value / 100_000_000)
  const at = printInt(view, start, high)
  printEightDigits(view, at, value - high * 100_000_000)
  return at + 8
}

/** Writes mantissa * 10^-places with exactly `places` digits after the decimal point; returns where the text ends. */
export function printFixed(view: DataView, start: number, mantissa: number, places: number): number {
  if (places === 0 && mantissa >= 0 && mantissa < FAST_MAX) return printWhole(view, start, mantissa)
  let at = start
  let rest = mantissa
  if (rest < 0) {
    view.setUint8(at++, MINUS)
    rest = -rest
  }
  if (places > FAST_PLACES_MAX || rest >= FAST_MAX) return printDecimal(rest, places, bytesOf(view), at)
  if (places === 0) return printWhole(view, at, rest)
  const power = POWERS[places]!
  const whole = Math.floor(rest / power)
  const fraction = (rest - whole * power) | 0
  at = printWhole(view, at, whole)
  view.setUint8(at++, POINT)
  if (places <= 4) view.setInt32(at, fourDigits[fraction]! >>> (8 * (4 - places)), true)
  else printEightDigits(view, at, fraction * POWERS[FAST_PLACES_MAX - places]!)
  return at + places
}

/** Works like `printFixed`, but without trailing zeros: 4800 with four places is `0.48`. */
export function printTrimmed(view: DataView, start: number, mantissa: number, places: number): number {
  if (mantissa < 0 || mantissa >= FAST_MAX || places > FAST_PLACES_MAX) {
    const end = printFixed(view, start, mantissa, places)
    return places === 0 ? end : withoutZeros(view, end, end - places - 1)
  }
  const power = POWERS[places]!
  const whole = Math.floor(mantissa / power)
  const fraction = (mantissa - whole * power) | 0
  const point = printWhole(view, start, whole)
  if (fraction === 0) return point
  view.setUint8(point, POINT)
  printEightDigits(view, point + 1, fraction * POWERS[FAST_PLACES_MAX - places]!)
  return withoutZeros(view, point + 1 + places, point)
}

function withoutZeros(view: DataView, start: number, point: number): number {
  let end = start
  while (view.getUint8(end - 1) === 0x30) end--
  return end - 1 === point ? point : end
}

/** Writes an integer below 1e8 with leading zeros. */
export function printEightDigits(view: DataView, at: number, value: number): void {
  const high = (value / 10_000) | 0
  view.setInt32(at, fourDigits[high]!, true)
  view.setInt32(at + 4, fourDigits[(value - high * 10_000) | 0]!, true)
}

/** Works like `printWhole`, for values below 1e8. */
function printInt(view: DataView, at: number, value: number): number {
  if (value < 10_000) return printLeading(view, at, value)
  const high = (value / 10_000) | 0
  const end = printLeading(view, at, high)
  view.setInt32(end, fourDigits[(value - high * 10_000) | 0]!, true)
  return end + 4
}

function printLeading(view: DataView, at: number, value: number): number {
  const digits = value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4
  view.setInt32(at, fourDigits[value]! >>> (8 * (4 - digits)), true)
  return at + digits
}

/** Writes a finite double as a JSON number, in the fewest digits that read back as the same double: up to 25 bytes.
 *  Returns where its text ends. */
export function printDouble(bytes: Uint8Array, view: DataView, at: number, value: number): number {
  // Up to 15 digits, different decimals are different doubles, so this is the shortest text.
  const micros = Math.round(value * 1e6)
  if (micros >= 0 && micros < FAST_MAX && micros / 1e6 === value) return printTrimmed(view, at, micros, 6)
  const text = String(value)
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i)
  return at + text.length
}

const bytesOf = (view: DataView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)

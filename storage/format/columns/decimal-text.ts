// Converts decimals between text and integers. Reads only the one canonical spelling of a number (`0.48`, `-40.00`,
// `7`). Anything else (`.48`, `+1`, `-0.0`, `1e3`) is stored as text, so that every value is written back byte for
// byte.

/** Digits after the point of the last parsed decimal; valid after `parseDecimal` returned a number. */
export const parsedDecimal = { places: 0 }

/** A decimal with more digits, or with more digits after the point, is stored as text. */
export const MANTISSA_DIGITS_MAX = 15
export const PLACES_MAX = 12

/** Parses bytes[start..end). Returns the digits as an integer, without the point; NaN if not a canonical decimal. */
export function parseDecimal(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  const isNegative = bytes[at] === 0x2d
  if (isNegative) at++
  const digitsStart = at
  let mantissa = 0
  let point = -1
  for (; at < end; at++) {
    const digit = bytes[at]! - 0x30
    if (digit >= 0 && digit <= 9) mantissa = mantissa * 10 + digit
    else if (digit === -2 && point < 0) point = at
    else return Number.NaN
  }
  const places = point < 0 ? 0 : end - point - 1
  const wholeDigits = (point < 0 ? end : point) - digitsStart
  if (wholeDigits === 0 || (point >= 0 && places === 0) || places > PLACES_MAX) return Number.NaN
  if (wholeDigits > 1 && bytes[digitsStart] === 0x30) return Number.NaN
  if (wholeDigits + places > MANTISSA_DIGITS_MAX || (isNegative && mantissa === 0)) return Number.NaN
  parsedDecimal.places = places
  return isNegative ? -mantissa : mantissa
}

/** Writes mantissa * 10^-places with exactly `places` digits after the point; returns where the text ends. */
export function printDecimal(mantissa: number, places: number, target: Uint8Array, start: number): number {
  let at = start
  let rest = mantissa
  if (rest < 0) {
    target[at++] = 0x2d
    rest = -rest
  }
  if (rest > Number.MAX_SAFE_INTEGER) return printLarge(BigInt(rest), places, target, at)
  const digitCount = Math.max(countDigits(rest), places + 1)
  const end = at + digitCount + (places > 0 ? 1 : 0)
  let write = end - 1
  for (let place = 0; place < digitCount; place++) {
    if (place === places && places > 0) target[write--] = 0x2e
    if (rest < 0x7fff_ffff) {
      const small = rest | 0
      const tenth = (small / 10) | 0
      target[write--] = 0x30 + small - tenth * 10
      rest = tenth
    } else {
      const tenth = Math.floor(rest / 10)
      target[write--] = 0x30 + (rest - tenth * 10)
      rest = tenth
    }
  }
  return end
}

/** Prints sums that are too large for exact integers in a double: takes the digits of the double as they are. */
function printLarge(mantissa: bigint, places: number, target: Uint8Array, start: number): number {
  const digits = String(mantissa).padStart(places + 1, '0')
  const point = digits.length - places
  const text = places === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  for (let i = 0; i < text.length; i++) target[start + i] = text.charCodeAt(i)
  return start + text.length
}

/** Like `printDecimal`, without trailing zeros: 4800 at scale 4 is `0.48`. */
export function printTrimmedDecimal(mantissa: number, scale: number, target: Uint8Array, start: number): number {
  const rest = trimDecimal(mantissa, scale)
  return printDecimal(rest, trimmedDecimal.places, target, start)
}

/** Number of digits after the point that the last `trimDecimal` left. */
export const trimmedDecimal = { places: 0 }

/** Returns the digits of mantissa * 10^-scale without the trailing zeros of its fraction: 48, with two places, for 4800
 *  at scale 4. */
export function trimDecimal(mantissa: number, scale: number): number {
  let places = scale
  let rest = mantissa
  if (rest >= 0 && rest <= 0x7fff_ffff) {
    let small = rest | 0
    for (; places > 0; places--) {
      const tenth = (small / 10) | 0
      if (10 * tenth !== small) break
      small = tenth
    }
    rest = small
  } else {
    for (; places > 0 && rest % 10 === 0; places--) rest /= 10
  }
  trimmedDecimal.places = places
  return rest
}

function countDigits(value: number): number {
  let digits = 1
  for (let limit = 10; value >= limit; limit *= 10) digits++
  return digits
}

// Converts RFC 3339 instants in UTC between text and microseconds, in the spelling of Kalshi's `ts`: a `Z`, and a
// fraction of at most six digits without trailing zeros. Any other spelling is stored as text.

const SECOND_US = 1_000_000
const DAY_US = 86_400 * SECOND_US
const LENGTH_MIN = 20
const LENGTH_MAX = 27
// Microseconds of these years are exact integers.
const YEAR_MIN = 1_970
const YEAR_END = 2_200

// Messages come in time order, so an instant nearly always has the same date as the one before.
const cachedDate = { digits: -1, startUs: 0 }

/** Returns microseconds since the epoch; NaN if the text is not in the one canonical spelling. */
export function parseInstant(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  if (length < LENGTH_MIN || length > LENGTH_MAX || bytes[end - 1] !== 0x5a || bytes[start + 10] !== 0x54)
    return Number.NaN
  if (bytes[start + 4] !== 0x2d || bytes[start + 7] !== 0x2d) return Number.NaN
  if (bytes[start + 13] !== 0x3a || bytes[start + 16] !== 0x3a) return Number.NaN
  const yearDigits = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2)
  const dateDigits = yearDigits * 10_000 + twoDigits(bytes, start + 5) * 100 + twoDigits(bytes, start + 8)
  const hour = twoDigits(bytes, start + 11)
  const minute = twoDigits(bytes, start + 14)
  const second = twoDigits(bytes, start + 17)
  // Comparisons with NaN are false, so each of these also rejects characters that are not digits.
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN
  if (dateDigits !== cachedDate.digits && !cacheDate(dateDigits)) return Number.NaN
  let fraction = 0
  if (length > LENGTH_MIN) {
    if (bytes[start + 19] !== 0x2e || length === LENGTH_MIN + 1 || bytes[end - 2] === 0x30) return Number.NaN
    for (let at = start + 20; at < end - 1; at++) {
      const digit = bytes[at]! - 0x30
      if (digit < 0 || digit > 9) return Number.NaN
      fraction = fraction * 10 + digit
    }
    for (let digits = length - LENGTH_MIN - 1; digits < 6; digits++) fraction *= 10
  }
  return cachedDate.startUs + ((hour * 60 + minute) * 60 + second) * SECOND_US + fraction
}

/** Writes the canonical spelling; returns where it ends. */
export function printInstant(instantUs: number, target: Uint8Array, start: number): number {
  const dayUs = ((instantUs % DAY_US) + DAY_US) % DAY_US
  const date = new Date((instantUs - dayUs) / 1_000)
  writeTwoDigits(Math.floor(date.getUTCFullYear() / 100), target, start)
  writeTwoDigits(date.getUTCFullYear() % 100, target, start + 2)
  target[start + 4] = 0x2d
  writeTwoDigits(date.getUTCMonth() + 1, target, start + 5)
  target[start + 7] = 0x2d
  writeTwoDigits(date.getUTCDate(), target, start + 8)
  target[start + 10] = 0x54
  const seconds = Math.floor(dayUs / SECOND_US)
  writeTwoDigits(Math.floor(seconds / 3_600), target, start + 11)
  target[start + 13] = 0x3a
  writeTwoDigits(Math.floor(seconds / 60) % 60, target, start + 14)
  target[start + 16] = 0x3a
  writeTwoDigits(seconds % 60, target, start + 17)
  return printFraction(dayUs - seconds * SECOND_US, target, start + 19)
}

function printFraction(micros: number, target: Uint8Array, start: number): number {
  let at = start
  if (micros > 0) {
    target[at++] = 0x2e
    for (let weight = 100_000, rest = micros; rest > 0; weight /= 10) {
      const digit = Math.floor(rest / weight)
      target[at++] = 0x30 + digit
      rest -= digit * weight
    }
  }
  target[at++] = 0x5a
  return at
}

function cacheDate(digits: number): boolean {
  const year = Math.floor(digits / 10_000)
  const month = Math.floor(digits / 100) % 100
  const day = digits % 100
  const date = new Date(Date.UTC(year, month - 1, day))
  if (!(year >= YEAR_MIN && year < YEAR_END && date.getUTCMonth() === month - 1 && date.getUTCDate() === day))
    return false
  cachedDate.digits = digits
  cachedDate.startUs = date.getTime() * 1_000
  return true
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - 0x30
  const ones = bytes[at + 1]! - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

function writeTwoDigits(value: number, target: Uint8Array, at: number): void {
  target[at] = 0x30 + Math.floor(value / 10)
  target[at + 1] = 0x30 + (value % 10)
}

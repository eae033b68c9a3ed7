// Computes without rounding: decimals as BigInt units of 1e-18, times as BigInt nanoseconds.

import type { Json } from './json.ts'

const PLACES = 18
export const ONE = 10n ** BigInt(PLACES)

/** Returns units of 1e-18. Returns undefined for null, a word, an exponent, or more than 18 places. */
export function decimal(value: Json | undefined): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(String(value))
  if (match === null) return undefined
  const [, sign, whole = '', fraction = ''] = match
  if (whole + fraction === '' || fraction.length > PLACES) return undefined
  const units = BigInt(whole + fraction.padEnd(PLACES, '0'))
  return sign === '-' ? -units : units
}

const MICRO = ONE / 1_000_000n
const AMOUNT = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i

/** Returns a price or a size of any spelling; undefined if it is finer than 1e-6, or at least 2^53 units of 1e-6. A
 *  value that is within 1e-9, or two spacings of doubles, of a multiple of 1e-6 counts as that multiple. `isCents`: the
 *  value is in cents. */
export function amount(value: Json | undefined, isCents = false): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const match = AMOUNT.exec(String(value))
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', power = '0'] = match
  if (whole + fraction === '') return undefined
  const exponent = BigInt(power) + 6n - BigInt(fraction.length) - (isCents ? 2n : 0n)
  const digits = BigInt(whole + fraction)
  const scale = 10n ** (exponent < 0n ? -exponent : exponent)
  const micros = exponent < 0n ? (2n * digits + scale) / (2n * scale) : digits * scale
  if (exponent < 0n) {
    const away = digits > micros * scale ? digits - micros * scale : micros * scale - digits
    // Measures in units of 2^-200: every spacing of doubles here is a multiple of it.
    const distance = (away << 200n) / scale
    if (1_000n * away > scale && distance > 2_000_000n * spacingOf(Number(value))) return undefined
  }
  if (micros >= 2n ** 53n) return undefined
  return (sign === '-' ? -micros : micros) * MICRO
}

/** Returns the nearest JS number, which prints like the decimal. A product of two decimals has twice the `places`. */
export function toNumber(units: bigint, places = PLACES): number {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return units < 0n ? -Number(text) : Number(text)
}

/** Returns the distance from a number to the next double, in units of 2^-200. */
function spacingOf(value: number): bigint {
  let power = 0
  for (let size = Math.abs(value); size >= 2 && power < 1_000; size /= 2) power++
  for (let size = Math.abs(value); size < 1 && power > -100; size *= 2) power--
  return 1n << BigInt(200 - 52 + power)
}

export const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
export const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Converts the product of a price and a size to the nearest JS number. */
export const productToNumber = (product: bigint): number => toNumber(product, 2 * PLACES)

/** Returns the JS number nearest to the exact quotient; `divisor` must be above 0. */
export function quotient(dividend: bigint, divisor: bigint): number {
  const shifted = (dividend < 0n ? -dividend : dividend) << 160n
  const whole = shifted / divisor
  // The last bit represents the whole remainder, so the result is rounded only once.
  const number = Number(whole * divisor === shifted ? whole : whole | 1n) / 2 ** 160
  return dividend < 0n ? -number : number
}

/** Prints a decimal like Polymarket: without trailing zeros, and without a point if it is whole. */
export function toText(units: bigint): string {
  const digits = String(units).padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return digits.slice(0, -PLACES) + (fraction === '' ? '' : `.${fraction}`)
}

const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|z|[+-]\d\d:?\d\d)?$/

/** Converts a printed date and time to nanoseconds since 1970. */
export function instantNs(text: string): bigint | undefined {
  const match = INSTANT.exec(text)
  if (match === null) return undefined
  const [, date, clock, fraction = '', zone = 'Z'] = match
  const wholeMs = Date.parse(`${date}T${clock}${zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`)
  if (Number.isNaN(wholeMs)) return undefined
  return BigInt(wholeMs) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

/** Converts a time to nanoseconds since 1970: a number, or its text, in ms (in seconds below 1e11), or a printed
 *  date. */
export const timeNs = (value: Json | undefined): bigint | undefined =>
  printedNs(value, (units) => (units < 100_000_000_000n * ONE ? 1_000_000_000n : 1_000_000n))

/** Works like `timeNs`, for a recorder's clock, which may also count µs (from 1e14 on) or ns (from 1e17 on). */
export const clockNs = (value: Json | undefined): bigint | undefined =>
  printedNs(value, (units) => {
    if (units >= 10n ** 17n * ONE) return 1n
    if (units >= 10n ** 14n * ONE) return 1_000n
    return units < 100_000_000_000n * ONE ? 1_000_000_000n : 1_000_000n
  })

/** `unitOf` returns the unit of a number, in nanoseconds. */
function printedNs(value: Json | undefined, unitOf: (units: bigint) => bigint): bigint | undefined {
  if ((typeof value !== 'string' && typeof value !== 'number') || Object.is(value, -0)) return undefined
  const isExponential = typeof value === 'string' && /^\d{1,15}(?:\.\d+)?e[+-]?\d{1,2}$/i.test(value)
  const text = isExponential || typeof value === 'number' ? plain(Number(value)) : value
  if (!/^\d+(?:\.\d+)?$/.test(text)) return typeof value === 'string' ? instantNs(value) : undefined
  const units = decimal(text.replace(/(\.\d{18})\d+$/, '$1'))!
  return (units * unitOf(units)) / ONE
}

/** Prints a number without an exponent. */
const plain = (value: number) => (/e-/.test(String(value)) ? value.toFixed(18) : String(value))

export const nsToMs = (ns: bigint) => Number(ns / 1_000_000n)

// Reads printed decimals in 1e-6 of their unit.

import { MICROS } from '../../storage/units.ts'

export const EXACT_MAX = 2 ** 53
const EXACT_DIGITS_MAX = 16
/** Rounding error that is ignored: 1e-9 of the unit. */
const NOISE_MICROS = 1e-3
const REST_DIGITS = 20

/** Returns whether a distance from a whole number of 1e-6 is only the rounding error of doubles: at most 1e-9 of the
 *  unit, or two spacings of a double. Both arguments are in 1e-6. */
export const isNoise = (distance: number, micros: number): boolean =>
  distance <= NOISE_MICROS || distance <= 2 * 2 ** (Math.floor(Math.log2(Math.abs(micros / MICROS))) - 52) * MICROS

/** Returns a decimal in 1e-6 of its unit; NaN if it is not a number, is too large, or is finer than 1e-6. */
export const textMicros = (text: string): number => decimalMicros(text, 0)

/** Like `textMicros`, times 10^exponent. Also reads spellings that no venue uses: `.48`, `4.80e1`, `+1`. */
export function decimalMicros(text: string, exponent: number): number {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (parts === null || `${parts[2]}${parts[3] ?? ''}` === '') return Number.NaN
  const [, sign, whole = '', fraction = '', power = '0'] = parts
  const micros = shifted(whole + fraction, 6 + exponent + Number(power) - fraction.length)
  return sign === '-' ? -micros : micros
}

/** Returns the digits times 10^shift; NaN if that is too large, or differs from a whole number by more than noise
 *  (`isNoise`). */
function shifted(digits: string, shift: number): number {
  const significant = digits.replace(/^0+/, '')
  if (significant === '') return 0
  if (significant.length + shift > EXACT_DIGITS_MAX) return Number.NaN
  const end = Math.min(significant.length, Math.max(0, significant.length + shift))
  const whole = Number(significant.slice(0, end) + '0'.repeat(Math.max(shift, 0)))
  const rest = shift < 0 ? restOf(significant.slice(end).padStart(-shift, '0')) : 0
  const value = rest < 0 ? whole + 1 : whole
  return value < EXACT_MAX && isNoise(Math.abs(rest), value) ? value : Number.NaN
}

/** Returns the value of the digits after a decimal point; minus one if the value is above a half. */
function restOf(digits: string): number {
  if (!/[1-9]/.test(digits)) return 0
  const isMore = /[1-9]/.test(digits.slice(REST_DIGITS))
  const rest = BigInt(digits.slice(0, REST_DIGITS).padEnd(REST_DIGITS, '0') + (isMore ? '1' : '0'))
  const one = 10n ** BigInt(REST_DIGITS + 1)
  return 2n * rest > one ? Number(rest - one) / Number(one) : Number(rest) / Number(one)
}

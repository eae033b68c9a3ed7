// Formats prices and sizes as the venues' sockets send them.

import { MICROS } from '../../storage/units.ts'
import { textMicros } from '../bytes/decimal-micros.ts'
import { textOf } from './exact-json.ts'

type Meaning = {
  /** The value is in cents if it is printed without a decimal point. */
  mayBeCents?: boolean
  /** Whether to write one dollar minus the value. */
  isFlipped?: boolean
}

/** Formats a price or size of a message, with at least `decimals` decimals. Returns undefined if the value is not a
 *  number. Returns a value finer than 1e-6 unchanged, because no book has such values. */
export function printed(value: unknown, decimals: number, meaning: Meaning = {}): string | undefined {
  const text = textOf(value)
  if (text === undefined) return undefined
  const isCents = meaning.mayBeCents === true && !text.includes('.')
  const micros = textMicros(isCents ? `${text}e-2` : text)
  if (!Number.isNaN(micros)) return printedMicros(meaning.isFlipped === true ? MICROS - micros : micros, decimals)
  return isCents || meaning.isFlipped === true || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? undefined : text
}

export function printedMicros(micros: number, decimals: number): string {
  const size = Math.abs(micros)
  const whole = `${micros < 0 ? '-' : ''}${Math.floor(size / MICROS)}`
  const fraction = String(size % MICROS).padStart(6, '0')
  const significant = fraction.replace(/0+$/, '').padEnd(decimals, '0')
  return significant === '' ? whole : `${whole}.${significant}`
}

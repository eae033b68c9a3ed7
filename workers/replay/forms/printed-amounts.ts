// Prices and sizes as the venues' sockets print them.

import { MICROS } from '../../../storage/units.ts'
import { textMicros } from '../../book/level-columns.ts'
import { textOf } from './exact-json.ts'

/** At least so many decimals, and as many more as it takes: four of a price and two of a size on Kalshi, none on
 *  Polymarket. */
export const [KALSHI_PRICE, KALSHI_SIZE, POLYMARKET] = [4, 2, 0]

type Meaning = {
  /** The value is in cents where it is printed without a point. */
  mayBeCents?: boolean
  /** What is printed is what is missing to one dollar. */
  isFlipped?: boolean
}

/** A price or a size of a message, printed anew; undefined for what is no number. One that is finer than 1e-6, which no
 *  book has, stays as it was printed. */
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

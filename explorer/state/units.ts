// Formats prices in cents or dollars, as the reader chose.

import { signal } from '@preact/signals'
import { priceText, UNKNOWN } from './number-text.ts'

export type Unit = 'cents' | 'dollars'

const NAME = 'backbook-unit'

export const unit = signal<Unit>(localStorage.getItem(NAME) === 'dollars' ? 'dollars' : 'cents')

export function chooseUnit(next: Unit): void {
  unit.value = next
  localStorage.setItem(NAME, next)
}

/** Returns `51.4¢` or `$0.514`. `decimals` is the number of decimals in cents; a price with more decimals keeps them.
 *  Reads a signal. */
export function shownPrice(dollars: number | null, decimals = 1): string {
  if (unit.value === 'cents') return priceText(dollars, decimals)
  if (dollars === null || Number.isNaN(dollars)) return UNKNOWN
  const exact = Number(dollars.toFixed(6))
  const least = exact.toFixed(decimals + 2)
  return `$${Number(least) === exact ? least : exact}`
}

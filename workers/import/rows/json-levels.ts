// A side of a book as some archives keep it, as the text of JSON.

import { decimalUnits } from './decimal-units.ts'
import type { RowScales, RowSide } from './polymarket-rows.ts'

/** Of `[["0.01","5"], …]`, in the order that it has; the empty text is an empty side. Undefined for anything else. */
export function levelsFromJson(text: string, scales: RowScales): RowSide | undefined {
  const side = { prices: [] as number[], sizes: [] as number[] }
  if (text === '') return side
  let levels: unknown
  try {
    levels = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(levels)) return undefined
  for (const level of levels) {
    if (!Array.isArray(level) || level.length !== 2) return undefined
    const [price, size] = [decimalUnits(String(level[0]), scales.price), decimalUnits(String(level[1]), scales.size)]
    if (!(price >= 0 && size >= 0)) return undefined
    side.prices.push(price)
    side.sizes.push(size)
  }
  return side
}

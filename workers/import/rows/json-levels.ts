// Parses a side of a book that an archive stores as JSON text: `[["0.01","5"], …]`.

import { decimalUnits } from './decimal-units.ts'
import type { RowScales, RowSide } from './row-values.ts'

type Side = { prices: number[]; sizes: number[] }

const [BLANK, QUOTE, COMMA, POINT, ZERO, NINE, OPEN, CLOSE] = [0x20, 0x22, 0x2c, 0x2e, 0x30, 0x39, 0x5b, 0x5d]
const DIGITS_MAX = 15
const decoder = new TextDecoder()

/** Returns the levels in their order; an empty side if the text is empty, undefined if it is not a list of levels. */
export function levelsFromJson(text: Uint8Array, scales: RowScales): RowSide | undefined {
  const side: Side = { prices: [], sizes: [] }
  if (text.length === 0 || readPlain(text, scales, side)) return side
  return parsedLevels(decoder.decode(text), scales)
}

/** Reads pairs of plain decimals in quotes, without copying them. Returns false for anything else. */
function readPlain(text: Uint8Array, scales: RowScales, { prices, sizes }: Side): boolean {
  let at = 0
  const skip = (byte: number): boolean => {
    while (text[at] === BLANK) at++
    return text[at] === byte && at++ >= 0
  }
  const decimal = (places: number): number => {
    if (!skip(QUOTE)) return Number.NaN
    const start = at
    let units = 0
    let after = -1
    for (; at < text.length; at++) {
      const byte = text[at]!
      if (byte === POINT && after < 0) after = 0
      else if (byte >= ZERO && byte <= NINE) {
        units = units * 10 + byte - ZERO
        if (after >= 0) after++
      } else break
    }
    const digits = at - start - (after < 0 ? 0 : 1)
    if (text[at++] !== QUOTE || digits === 0) return Number.NaN
    for (let more = Math.max(0, after); more < places; more++) units *= 10
    return after > places || digits - Math.max(0, after) + places > DIGITS_MAX ? Number.NaN : units
  }
  if (!skip(OPEN)) return false
  if (skip(CLOSE)) return at === text.length
  do {
    if (!skip(OPEN)) return false
    prices.push(decimal(scales.price))
    if (!skip(COMMA)) return false
    sizes.push(decimal(scales.size))
    if (!skip(CLOSE) || Number.isNaN(prices.at(-1)! + sizes.at(-1)!)) return false
  } while (skip(COMMA))
  return skip(CLOSE) && at === text.length
}

function parsedLevels(text: string, scales: RowScales): RowSide | undefined {
  const side: Side = { prices: [], sizes: [] }
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

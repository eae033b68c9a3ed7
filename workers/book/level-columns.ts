// The levels that the records of a block set or change, as cells of the ladder and sizes.

import type { DistinctValues, IndexedWords, SlotValues } from '../../storage/format/columns/slot-column.ts'
import { SIDE_WORDS } from '../../storage/format/shape.ts'
import { MICROS } from '../../storage/units.ts'
import { decimalMicros, EXACT_MAX, isNoise } from '../bytes/decimal-micros.ts'
import { RUNG_MICROS, RUNGS, SIDE_CELLS } from './ladder.ts'

export type LevelColumns = {
  /** Number of levels in each row; undefined if every row has one. */
  lengths: Float64Array | undefined
  /** Ladder cell of each level. BETWEEN_BIDS or BETWEEN_ASKS if the height is between rungs, NO_LEVEL if the price or
   *  the size is invalid or out of range, or if the side is unknown. */
  cells: Int32Array
  sizes: Float64Array
  /** Height of each level in 1e-6 dollars; undefined if no level is between rungs. */
  heights: Float64Array | undefined
}

/** Values of a price or size slot. With `mayBeCents`, values without a decimal point are in cents. */
export type AmountValues = DistinctValues & { mayBeCents: boolean }

export const NO_LEVEL = -1
export const BETWEEN_BIDS = -2
export const BETWEEN_ASKS = -3

const RUNG_EXPONENT = 4
const CELL_TABLE_MAX = 0x1_0000

/** How the prices of one side become cells: the first cell, and whether the prices are counted down from one dollar. */
type SideCells = { first: number; isFlipped: boolean }

const sideCells = (isAsk: boolean, isComplement: boolean): SideCells => ({
  first: isAsk ? SIDE_CELLS : 0,
  isFlipped: isAsk !== isComplement,
})

/** Returns the levels of one side of snapshots. */
export function sideLevels(
  lengths: Float64Array,
  price: AmountValues,
  size: AmountValues,
  side: { isAsk: boolean; isComplement: boolean },
): LevelColumns {
  const sizes = toMicros(size)
  const cells = [sideCells(side.isAsk, side.isComplement)]
  return { lengths, sizes, ...toCells(price, sizes, new Uint16Array(sizes.length), cells) }
}

/** Returns the levels that deltas change. `side` has the venue's word for the side of each change. */
export function changeLevels(
  lengths: Float64Array | undefined,
  price: AmountValues,
  size: AmountValues,
  side: IndexedWords,
  isYesScale = false,
): LevelColumns {
  const sizes = toMicros(size)
  const cells = side.words.map((word) => {
    const meaning = Object.hasOwn(SIDE_WORDS, word) ? SIDE_WORDS[word] : undefined
    return meaning && sideCells(meaning.side === 'ask', meaning.isComplement && !isYesScale)
  })
  return { lengths, sizes, ...toCells(price, sizes, side.indexes, cells) }
}

type Cells = { cells: Int32Array; heights: Float64Array | undefined }

/** Returns the cells of levels. `sideIndexes` has an index into `sides` for each level. An undefined entry of `sides`
 *  stands for a word that no venue uses for a side. */
function toCells(
  price: AmountValues,
  sizes: Float64Array,
  sideIndexes: Uint16Array,
  sides: (SideCells | undefined)[],
): Cells {
  if (price.rows === undefined) return rowCells(price, sizes, sideIndexes, sides)
  const table = cellTable(price, sides)
  if (table === undefined) {
    // Prices between rungs need their heights, which the table does not have.
    return fineCells(toMicros(price), sizes, sideIndexes, sides)
  }
  const { rows } = price
  const priceCount = price.slot.form === 'text' ? 0 : price.slot.values.length
  const sideCount = sides.length
  const cells = new Int32Array(sizes.length)
  for (let i = 0; i < cells.length; i++) {
    const side = sideIndexes[i]!
    cells[i] = side < sideCount && !Number.isNaN(sizes[i]!) ? table[side * priceCount + rows[i]!]! : NO_LEVEL
  }
  return { cells, heights: undefined }
}

/** Returns the cell of each distinct price, one side after the other; undefined if a price is between rungs or the
 *  table is too large. */
function cellTable({ slot, mayBeCents }: AmountValues, sides: (SideCells | undefined)[]): Int32Array | undefined {
  const priceCount = slot.form === 'text' ? 0 : slot.values.length
  if (sides.length * priceCount > CELL_TABLE_MAX) return undefined
  const table = new Int32Array(sides.length * priceCount)
  const noSizes = new Float64Array(priceCount)
  const firstSide = new Uint16Array(priceCount)
  for (let side = 0; side < sides.length; side++) {
    const { cells, heights } = rowCells({ slot, rows: undefined, mayBeCents }, noSizes, firstSide, [sides[side]])
    if (heights !== undefined) return undefined
    table.set(cells, side * priceCount)
  }
  return table
}

function rowCells(
  price: AmountValues,
  sizes: Float64Array,
  sideIndexes: Uint16Array,
  sides: (SideCells | undefined)[],
): Cells {
  const { slot, mayBeCents } = price
  const power = slot.form === 'decimal' ? RUNG_EXPONENT - slot.scale : -1
  if (slot.form !== 'decimal' || mayBeCents || power < 0) return fineCells(toMicros(price), sizes, sideIndexes, sides)
  const cells = new Int32Array(sizes.length)
  const factor = 10 ** power
  const { values } = slot
  // cell = start + sign * rung. For an unknown word the start is NaN, so no rung gives a cell.
  const starts = Float64Array.from(sides, (side) =>
    side === undefined ? Number.NaN : side.first + (side.isFlipped ? RUNGS - 1 : 0),
  )
  const signs = Int32Array.from(sides, (side) => (side?.isFlipped ? -1 : 1))
  for (let i = 0; i < cells.length; i++) {
    const rung = values[i]! * factor
    const side = sideIndexes[i]!
    const cell = starts[side]! + signs[side]! * rung
    cells[i] = rung >= 0 && rung < RUNGS && !Number.isNaN(sizes[i]!) && !Number.isNaN(cell) ? cell : NO_LEVEL
  }
  return { cells, heights: undefined }
}

// Returns the cells of prices with more than four digits. Most of these prices are on rungs nevertheless.
function fineCells(
  prices: Float64Array,
  sizes: Float64Array,
  sideIndexes: Uint16Array,
  sides: (SideCells | undefined)[],
): Cells {
  const cells = new Int32Array(sizes.length).fill(NO_LEVEL)
  const heights = prices
  let isFine = false
  for (let i = 0; i < cells.length; i++) {
    const side = sides[sideIndexes[i]!]
    const height = side?.isFlipped ? MICROS - prices[i]! : prices[i]!
    heights[i] = height
    if (side === undefined || !(height >= 0 && height <= MICROS) || Number.isNaN(sizes[i]!)) continue
    const isRung = height % RUNG_MICROS === 0
    cells[i] = isRung ? side.first + height / RUNG_MICROS : side.first === 0 ? BETWEEN_BIDS : BETWEEN_ASKS
    if (!isRung) isFine = true
  }
  return { cells, heights: isFine ? heights : undefined }
}

/** Returns values in 1e-6 of the unit. NaN if a value is not a number, or finer than 1e-6 by more than noise
 *  (`isNoise`). */
export function toMicros({ slot, rows, mayBeCents }: AmountValues): Float64Array {
  const micros = valuesToMicros(slot, mayBeCents)
  if (rows === undefined) return micros
  const rowMicros = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) rowMicros[i] = micros[rows[i]!]!
  return rowMicros
}

function valuesToMicros(slot: SlotValues, mayBeCents: boolean): Float64Array {
  if (slot.form === 'instant') return new Float64Array(slot.values.length).fill(Number.NaN)
  if (slot.form === 'text') return textToMicros(slot, mayBeCents)
  const { values, scale } = slot
  const micros = new Float64Array(values.length)
  const power = 6 - scale
  const factor = 10 ** Math.abs(power)
  for (let i = 0; i < micros.length; i++) {
    const value = power >= 0 ? values[i]! * factor : Math.round(values[i]! / factor) + 0
    const isWhole = power >= 0 || isNoise(Math.abs(values[i]! - value * factor) / factor, value)
    micros[i] = isWhole && value < EXACT_MAX && value > -EXACT_MAX ? value : Number.NaN
  }
  if (mayBeCents) for (let i = 0; i < micros.length; i++) if (isPrintedWhole(slot, i)) micros[i] = micros[i]! / 100
  return micros
}

function isPrintedWhole(slot: Extract<SlotValues, { form: 'decimal' }>, index: number): boolean {
  if (slot.style === 'fixed') return slot.scale === 0
  return slot.style === 'mixed' ? slot.places![index] === 0 : slot.values[index]! % 10 ** slot.scale === 0
}

function textToMicros({ texts }: Extract<SlotValues, { form: 'text' }>, mayBeCents: boolean): Float64Array {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const words = new Float64Array(texts.wordCount)
  for (let i = 0; i < texts.wordCount; i++) {
    const word = decoder.decode(texts.arena.subarray(texts.offsets[i], texts.offsets[i + 1]))
    words[i] = decimalMicros(word, mayBeCents && !word.includes('.') ? -2 : 0)
  }
  return texts.indexes.map((index) => words[index]!)
}

// The columns of a block that its books need, as plain arrays. Nothing else of the block is read.

import { type Block, type ShapeColumns, unpackInts } from '../../storage/block.ts'
import { decodeNumbers } from '../../storage/columns/number-column.ts'
import { decodeSlot, type SlotValues } from '../../storage/columns/slot-column.ts'
import { DataError } from '../../storage/failures.ts'
import { type Amount, type RecordKind, SIDE_WORDS } from '../../storage/shape.ts'
import { MICROS } from '../../storage/units.ts'
import { RUNG_MICROS } from './book-side.ts'

/** Levels to change or to set. `rungs` is -1 for a height between the rungs, -2 where the value is no price or size. */
export type LevelColumns = {
  /** Levels of each row; undefined where every row has one. */
  lengths: Float64Array | undefined
  rungs: Int32Array
  heights: Float64Array
  sizes: Float64Array
  /** 0 for a bid, 1 for an ask. */
  sides: Uint8Array
}

export type ShapeBooks = {
  kind: RecordKind
  isSigned: boolean
  /** A delta's changes, or both sides of a snapshot, one after the other. */
  levels: LevelColumns[]
  /** Venue's own best prices of each change, NO_PRICE for an empty side, NaN where it says nothing. */
  best: { bids: Float64Array; asks: Float64Array } | undefined
}

export type BookColumns = {
  recordCount: number
  timesMs: Float64Array
  /** Index of the shape times two, plus one where the record opens a quote. */
  operations: Float64Array
  /** Number of the book, 0 for a record of the whole market. */
  books: Float64Array
  bookIds: string[]
  shapes: ShapeBooks[]
}

const BETWEEN_RUNGS = -1
export const NO_LEVEL = -2
const EXACT_MAX = 2 ** 53

/** Throws DataError('block_corrupt'). */
export function bookColumns(block: Block): BookColumns {
  try {
    return {
      recordCount: block.recordCount,
      timesMs: unpackInts(block.timesMs, block.recordCount),
      operations: unpackInts(block.operations, block.recordCount),
      books: unpackInts(block.bookIndexes, block.recordCount),
      bookIds: block.books,
      shapes: block.shapes.map(shapeBooks),
    }
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new DataError('block_corrupt', `Cannot read the books of a stored block: ${(error as Error).message}`)
  }
}

function shapeBooks(columns: ShapeColumns): ShapeBooks {
  const { shape, rowCount } = columns
  const lengths = columns.listLengths.map((list) => decodeNumbers(list, rowCount, undefined))
  const read = (slot: number): SlotValues => {
    const { list } = shape.slots[slot]!
    // None of the slots a book needs is stored by its distance from the event time, so none needs the clock.
    return decodeSlot(columns.slots[slot]!, list < 0 ? rowCount : sum(lengths[list]!), undefined)
  }
  const amounts = ({ slot, exponent }: Amount) => toMicros(read(slot), exponent)
  const levels: LevelColumns[] = shape.levels.map(({ list, side, price, size, isComplement }) => {
    const isAsk = side === 'ask'
    const heights = toHeights(amounts(price), isAsk, isComplement)
    const sizes = amounts(size)
    const sides = new Uint8Array(heights.length).fill(isAsk ? 1 : 0)
    return { lengths: lengths[list]!, heights, sizes, sides, rungs: toRungs(heights, sizes) }
  })
  if (shape.changes !== null) {
    const { list, price, size, side } = shape.changes
    levels.push(changeLevels(list < 0 ? undefined : lengths[list]!, amounts(price), amounts(size), read(side)))
  }
  const best = shape.best === null ? undefined : { bids: amounts(shape.best.bid), asks: amounts(shape.best.ask) }
  if (best !== undefined) normalizeBest(best)
  return { kind: shape.kind, isSigned: shape.changes?.isSigned ?? false, levels, best }
}

function changeLevels(
  lengths: Float64Array | undefined,
  prices: Float64Array,
  sizes: Float64Array,
  side: SlotValues,
): LevelColumns {
  const sides = new Uint8Array(prices.length)
  const heights = prices
  const words = sideWords(side)
  for (let i = 0; i < prices.length; i++) {
    const word = words[side.form === 'text' ? side.texts.indexes[i]! : 0]
    if (word === undefined) heights[i] = Number.NaN
    else {
      sides[i] = word.side === 'ask' ? 1 : 0
      if ((word.side === 'ask') !== word.isComplement) heights[i] = MICROS - heights[i]!
    }
  }
  return { lengths, heights, sizes, sides, rungs: toRungs(heights, sizes) }
}

function sideWords(side: SlotValues): ((typeof SIDE_WORDS)[string] | undefined)[] {
  if (side.form !== 'text') return []
  const { arena, offsets, wordCount } = side.texts
  const decoder = new TextDecoder()
  return Array.from({ length: wordCount }, (_, i) => {
    const word = decoder.decode(arena.subarray(offsets[i], offsets[i + 1]))
    return Object.hasOwn(SIDE_WORDS, word) ? SIDE_WORDS[word] : undefined
  })
}

// A height is the distance from the far end: of a bid its price, of an ask one dollar minus it.
function toHeights(prices: Float64Array, isAsk: boolean, isComplement: boolean): Float64Array {
  if (isAsk !== isComplement) for (let i = 0; i < prices.length; i++) prices[i] = MICROS - prices[i]!
  return prices
}

function toRungs(heights: Float64Array, sizes: Float64Array): Int32Array {
  const rungs = new Int32Array(heights.length)
  for (let i = 0; i < heights.length; i++) {
    const height = heights[i]!
    const rung = height / RUNG_MICROS
    const isLevel = height >= 0 && height <= MICROS && sizes[i] === sizes[i]
    rungs[i] = !isLevel ? NO_LEVEL : Number.isInteger(rung) ? rung : BETWEEN_RUNGS
  }
  return rungs
}

/** Values in 1e-6 of the unit; NaN for what is no number, and for prices finer than that. */
function toMicros(slot: SlotValues, exponent: number): Float64Array {
  if (slot.form === 'instant') return new Float64Array(slot.values.length).fill(Number.NaN)
  if (slot.form === 'text') return textToMicros(slot, exponent)
  const { values } = slot
  const power = 6 - slot.scale + exponent
  const factor = 10 ** Math.abs(power)
  for (let i = 0; i < values.length; i++) {
    const micros = power >= 0 ? values[i]! * factor : values[i]! / factor
    values[i] = Number.isInteger(micros) && Math.abs(micros) < EXACT_MAX ? micros : Number.NaN
  }
  return values
}

function textToMicros({ texts }: Extract<SlotValues, { form: 'text' }>, exponent: number): Float64Array {
  const decoder = new TextDecoder()
  const words = new Float64Array(texts.wordCount)
  for (let i = 0; i < texts.wordCount; i++) {
    words[i] = decimalMicros(decoder.decode(texts.arena.subarray(texts.offsets[i], texts.offsets[i + 1])), exponent)
  }
  return texts.indexes.map((index) => words[index]!)
}

/** Spellings that a venue does not use but are still numbers: `.48`, `4.80e1`, `+1`. */
function decimalMicros(text: string, exponent: number): number {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text)
  if (parts === null || `${parts[2]}${parts[3] ?? ''}` === '') return Number.NaN
  const [, sign, whole = '', fraction = '', power = '0'] = parts
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '')
  const shift = 6 + exponent + Number(power) - fraction.length
  if (digits.length + Math.max(shift, 0) > 18 && digits !== '0') return Number.NaN
  const scaled = shift >= 0 ? Number(digits) * 10 ** shift : Number(digits) / 10 ** -shift
  if (!Number.isInteger(scaled) || scaled >= EXACT_MAX) return Number.NaN
  return sign === '-' ? -scaled : scaled
}

// "" and 0 say that there is no bid, "" and 1 that there is no ask.
function normalizeBest({ bids, asks }: { bids: Float64Array; asks: Float64Array }): void {
  for (let i = 0; i < bids.length; i++) {
    if (!(bids[i]! > 0)) bids[i] = -1
    if (!(asks[i]! < MICROS && asks[i]! >= 0)) asks[i] = -1
  }
}

function sum(values: Float64Array): number {
  let total = 0
  for (const value of values) total += value
  return total
}

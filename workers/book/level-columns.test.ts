// Prices and sizes that are computed word by word give the same levels as those computed row by row.

import { describe, expect, test } from 'bun:test'
import type { SlotValues } from '../../storage/format/columns/slot-column.ts'
import { Random } from '../synthetic/random.ts'
import { type AmountValues, changeLevels, type LevelColumns, sideLevels } from './level-columns.ts'

const COUNT = 2_000

const decimals = (scale: number, values: number[]): SlotValues => ({
  form: 'decimal',
  scale,
  style: 'fixed',
  values: Float64Array.from(values),
  places: null,
})

/** Returns the same amounts twice: as words with the row numbers, and row by row. */
function amounts(random: Random, scale: number, words: number[], mayBeCents: boolean): [AmountValues, AmountValues] {
  const rows = Uint16Array.from({ length: COUNT }, () => random.below(words.length))
  return [
    { slot: decimals(scale, words), rows, mayBeCents },
    {
      slot: decimals(
        scale,
        Array.from(rows, (row) => words[row]!),
      ),
      rows: undefined,
      mayBeCents,
    },
  ]
}

// Converts to arrays, since `toEqual` finds typed arrays with NaN different.
const plain = ({ cells, sizes, heights }: LevelColumns) => ({
  cells: [...cells],
  sizes: [...sizes],
  heights: heights && [...heights],
})

describe('levels', () => {
  // At scale 0, prices are dollars or cents. At scale 4, all are rungs. At scale 6, some are between rungs.
  test.each([0, 1, 2, 4, 5, 6, 7])('with prices of %d places', (scale) => {
    const random = new Random(scale, 'levels')
    const price = (step: number) => step * random.between(-2, Math.ceil((11 * 10 ** scale) / (10 * step)))
    const isFine = scale > 4
    for (const step of isFine ? [1, 10 ** (scale - 4)] : [1]) {
      const prices = Array.from({ length: 200 }, () => price(step))
      const sizes = [0, 5, -700, 2 ** 50, ...Array.from({ length: 50 }, () => random.between(-900, 90_000))]
      for (const mayBeCents of [false, true]) {
        const [priceWords, priceRows] = amounts(random, scale, prices, mayBeCents)
        const [sizeWords, sizeRows] = amounts(random, 2, sizes, false)
        const words = ['BUY', 'SELL', 'yes', 'no', 'neither']
        const side = { words, indexes: Uint16Array.from({ length: COUNT }, () => random.below(words.length)) }
        expect(plain(changeLevels(undefined, priceWords, sizeWords, side))).toEqual(
          plain(changeLevels(undefined, priceRows, sizeRows, side)),
        )
        const lengths = Float64Array.of(COUNT)
        for (const isAsk of [false, true]) {
          const meaning = { isAsk, isComplement: mayBeCents }
          expect(plain(sideLevels(lengths, priceWords, sizeWords, meaning))).toEqual(
            plain(sideLevels(lengths, priceRows, sizeRows, meaning)),
          )
        }
      }
    }
  })
})

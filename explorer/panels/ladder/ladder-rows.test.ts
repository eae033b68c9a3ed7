// Makes the rows of the ladder: no level in the range of shown prices is missing, and rows stay in place.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  barScale,
  levelRows,
  placeFor,
  type Row,
  rowOf,
  type Sides,
  stepFor,
  stepRows,
  withRemoved,
} from './ladder-rows.ts'

const ROWS = 31
const sizes = fc.integer({ min: 1, max: 9_999 })
/** Generates books on a tick: bids below asks, each side best first. */
const books = fc
  .record({
    tick: fc.constantFrom(1_000, 5_000, 10_000),
    bids: fc.uniqueArray(fc.nat(40), { maxLength: 20 }),
    asks: fc.uniqueArray(fc.nat(40), { maxLength: 20 }),
    size: sizes,
  })
  .map(({ tick, bids, asks, size }): Sides => {
    const middle = 500_000
    return {
      bids: bids.sort((a, b) => a - b).map((i) => [(middle - (i + 1) * tick) / 1e6, size + i] as const),
      asks: asks.sort((a, b) => a - b).map((i) => [(middle + (i + 1) * tick) / 1e6, size + i] as const),
    }
  })

const shownIn = (rows: readonly Row[], side: 'bid' | 'ask') =>
  new Map(rows.filter((row) => row[side] > 0).map((row) => [row.micros, row[side]]))

test('with rows of one tick, each level between the first and the last row is shown unchanged', () => {
  fc.assert(
    fc.property(books, (sides) => {
      const { tick, centre } = placeFor(null, sides, null, ROWS)
      const rows = stepRows(sides, tick, rowOf(centre / 1e6, tick, 'bid'), ROWS)
      const [top, bottom] = [rows[0]!.micros!, rows.at(-1)!.micros!]
      for (const [side, levels] of [
        ['bid', sides.bids],
        ['ask', sides.asks],
      ] as const) {
        const expected = levels
          .map(([price, size]) => [Math.round(price * 1e6), size] as const)
          .filter(([micros]) => micros <= top && micros >= bottom)
        expect(shownIn(rows, side)).toEqual(new Map(expected))
      }
    }),
  )
})

test('coarser rows have the same total size on each side as the levels', () => {
  fc.assert(
    fc.property(books, (sides) => {
      const rows = stepRows(sides, 50_000, 500_000, ROWS)
      for (const [side, levels] of [
        ['bid', sides.bids],
        ['ask', sides.asks],
      ] as const) {
        const sum = levels.reduce((total, [, size]) => total + size, 0)
        expect(rows.reduce((total, row) => total + row[side], 0)).toBe(sum)
      }
    }),
  )
})

test('rows stay while the best prices move a little, and move when they near an end', () => {
  const at = (cents: number): Sides => ({ bids: [[cents / 100, 1]], asks: [[(cents + 1) / 100, 1]] })
  const first = placeFor(null, at(50), null, ROWS)
  expect(placeFor(first, at(55), null, ROWS)).toBe(first)
  expect(placeFor(first, at(46), null, ROWS)).toBe(first)
  expect(placeFor(first, at(65), null, ROWS).centre).toBeGreaterThan(first.centre)
  expect(placeFor(first, { bids: [], asks: [] }, null, ROWS)).toBe(first)
})

test('a level between the rows makes them finer, and they stay so', () => {
  const coarse: Sides = { bids: [[0.5, 1]], asks: [[0.51, 1]] }
  const fine: Sides = { bids: [[0.505, 2], ...coarse.bids], asks: coarse.asks }
  const first = placeFor(null, coarse, null, ROWS)
  expect(first.tick).toBe(10_000)
  const second = placeFor(first, fine, null, ROWS)
  expect(second.tick).toBe(5_000)
  expect(placeFor(second, coarse, null, ROWS)).toBe(second)
})

test('a book with a wide spread is shown level by level, around one space', () => {
  const wide: Sides = {
    bids: [
      [0.1, 5],
      [0.05, 6],
    ],
    asks: [[0.9, 7]],
  }
  expect(stepFor(10_000, wide, ROWS)).toBe('levels')
  expect(stepFor(10_000, { bids: [[0.5, 1]], asks: [[0.52, 1]] }, ROWS)).toBe(10_000)
  expect(stepFor(10_000, { bids: [[0.5, 1]], asks: [] }, ROWS)).toBeNull()
  const rows = levelRows(wide, 6)
  expect(rows.map(({ micros }) => micros)).toEqual([null, null, 900_000, 100_000, 50_000, null])
})

test('a level that a record removed is shown once more, in its place', () => {
  const sides: Sides = { bids: [[0.4, 1]], asks: [] }
  const gone = { side: 'bid', price: 0.41, before: 2, after: 0 } as const
  const less = { side: 'bid', price: 0.4, before: 2, after: 1 } as const
  expect(withRemoved(sides, [gone, less])).toEqual({
    bids: [
      [0.41, 0],
      [0.4, 1],
    ],
    asks: [],
  })
})

test('the scale of the bars grows at once and shrinks late', () => {
  expect(barScale(null, 42)).toBe(50)
  expect(barScale(50, 51)).toBe(100)
  expect(barScale(100, 30)).toBe(100)
  expect(barScale(100, 20)).toBe(20)
  expect(barScale(null, 0)).toBe(1)
})

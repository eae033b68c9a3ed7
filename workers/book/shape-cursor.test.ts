// The rows of a shape are applied to their books one after the other.

import { expect, test } from 'bun:test'
import type { ShapeBooks } from './book-columns.ts'
import { ASK, BID, SIDE_CELLS } from './ladder.ts'
import { BETWEEN_ASKS, BETWEEN_BIDS, type LevelColumns, NO_LEVEL } from './level-columns.ts'
import { levelKey } from './level-key.ts'
import { OrderBook } from './order-book.ts'
import { ShapeCursor } from './shape-cursor.ts'

const levels = (cells: number[], sizes: number[], lengths?: number[], heights?: number[]): LevelColumns => ({
  ...{ cells: Int32Array.from(cells), sizes: Float64Array.from(sizes) },
  ...{ lengths: lengths && Float64Array.from(lengths), heights: heights && Float64Array.from(heights) },
})
const shape = (of: Partial<ShapeBooks>): ShapeBooks => ({
  kind: 'delta',
  isAside: false,
  isSigned: false,
  levels: [],
  best: undefined,
  ...of,
})

test('changes of rows with several levels; skipped rows are passed', () => {
  const cursor = new ShapeCursor(shape({ levels: [levels([1, 2, 3, SIDE_CELLS + 4], [10, 20, 30, 40], [1, 2, 1])] }))
  const book = new OrderBook()
  expect(cursor.apply(book)).toBeUndefined()
  cursor.skip()
  cursor.apply(book)
  expect([book.levels(BID), book.levels(ASK), cursor.row]).toEqual([[[100, 10]], [[400, 40]], 3])
})

test('signed sizes are added; below zero and unreadable levels are reported', () => {
  const cursor = new ShapeCursor(shape({ isSigned: true, levels: [levels([1, 1, 1, NO_LEVEL], [10, -4, -9, 1])] }))
  const book = new OrderBook()
  const found = [0, 1, 2, 3].map(() => cursor.apply(book))
  expect(found).toEqual([undefined, undefined, 'below_zero', 'unreadable_change'])
  expect(book.levels(BID)).toEqual([])
  expect(new ShapeCursor(shape({})).apply(book)).toBe('unreadable_change')
})

test('signed sizes between the rungs; a size below 0 that is set removes a level', () => {
  const signed = new ShapeCursor(
    shape({ isSigned: true, levels: [levels([BETWEEN_BIDS, BETWEEN_BIDS], [5, 6], undefined, [150, 150])] }),
  )
  const book = new OrderBook()
  for (let i = 0; i < 2; i++) signed.apply(book)
  expect(book.levels(BID)).toEqual([[150, 11]])
  expect(
    new ShapeCursor(shape({ levels: [levels([BETWEEN_BIDS], [-5], undefined, [150])] })).apply(book),
  ).toBeUndefined()
  expect(book.levels(BID)).toEqual([])
})

test('levels between the rungs, and what a listener gets', () => {
  const of = shape({ levels: [levels([BETWEEN_BIDS, BETWEEN_ASKS, 7], [5, 6, 8], [3], [150, 250, 700])] })
  const book = new OrderBook()
  book.setLevel(BID, 700, 3)
  const seen: unknown[] = []
  new ShapeCursor(of).apply(book, (...level) => seen.push(level))
  expect([book.levels(BID), book.levels(ASK)]).toEqual([
    [
      [700, 8],
      [150, 5],
    ],
    [[250, 6]],
  ])
  expect(seen).toEqual([
    [levelKey(BID, 150), 5, false, 5, 0],
    [levelKey(ASK, 250), 6, false, 6, 0],
    [levelKey(BID, 700), 8, false, 8, 3],
  ])
})

test('the venue’s best prices are those of the last change', () => {
  const best = { bids: Float64Array.of(1, 2, 3), asks: Float64Array.of(4, 5, 6) }
  const cursor = new ShapeCursor(shape({ levels: [levels([1, 2, 3], [1, 1, 1], [2, 0, 1])], best }))
  const book = new OrderBook()
  const seen = [0, 1, 2].map(() => {
    cursor.apply(book)
    return [book.venueBid, book.venueAsk]
  })
  expect(seen).toEqual([
    [2, 5],
    [Number.NaN, Number.NaN],
    [3, 6],
  ])
})

test('kinds of shapes', () => {
  const of = (kind: ShapeBooks['kind']) => new ShapeCursor(shape({ kind }))
  expect(['gap', 'snapshot', 'delta', 'trade', 'other'].map((kind) => of(kind as never).isOfBooks)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  expect([
    new ShapeCursor(shape({ levels: [levels([1], [1])] })).isSingle,
    new ShapeCursor(shape({ levels: [levels([1], [1], [1])] })).isSingle,
  ]).toEqual([true, false])
})

// Tests the columns of a block that its books need, for the whole block or up to a record.

import { expect, test } from 'bun:test'
import { book, NOON, priceChange } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import { bookColumns, freeColumns } from './book-columns.ts'
import { SIDE_CELLS } from './ladder.ts'

const change = (ms: number, price: string, of = {}) => priceChange(ms, { price, size: '2', ...of })
const block = storedBlock(
  book(
    0,
    [
      ['0.4', '1'],
      ['0.41', '2'],
    ],
    [['0.6', '3']],
  ),
  change(10, '0.42', { best_bid: '0.42', best_ask: '' }),
  change(20, '0.5', { side: 'SELL', best_bid: '0', best_ask: '1' }),
  change(30, '0.43', { best_bid: 'x', best_ask: '0.6' }),
)
const shapeOf = (columns: ReturnType<typeof bookColumns>, kind: string) =>
  columns.shapes.find((shape) => shape.kind === kind)!

test('times, books, levels and the venue’s best prices', () => {
  const columns = bookColumns(block)
  expect([columns.recordCount, columns.bookIds, [...columns.books]]).toEqual([4, ['A'], [1, 1, 1, 1]])
  expect(Array.from(columns.timesMs, (ms) => ms - NOON)).toEqual([0, 10, 20, 30])
  const [bids, asks] = shapeOf(columns, 'snapshot').levels
  expect([[...bids!.cells], [...bids!.sizes], [...asks!.cells]]).toEqual([
    [4_000, 4_100],
    [1_000_000, 2_000_000],
    [SIDE_CELLS + 4_000],
  ])
  const delta = shapeOf(columns, 'delta')
  expect([[...delta.levels[0]!.cells], delta.isSigned]).toEqual([[4_200, SIDE_CELLS + 5_000, 4_300], false])
  expect([[...delta.best!.bids], [...delta.best!.asks]]).toEqual([
    [420_000, -1, Number.NaN],
    [-1, -1, 600_000],
  ])
  expect(bookColumns(block, undefined, false).shapes.every(({ best }) => best === undefined)).toBe(true)
})

test('only as many rows as the records before an end need', () => {
  const columns = bookColumns(block, { end: ({ recordCount }) => recordCount - 2 })
  expect([columns.recordCount, shapeOf(columns, 'delta').levels[0]!.cells.length]).toEqual([4, 1])
})

test('columns that are freed are empty if they were large; damage is reported', () => {
  const many = storedBlock(...Array.from({ length: 3_000 }, (_, i) => change(i, '0.4')))
  const columns = bookColumns(many)
  freeColumns(columns)
  expect([columns.timesMs.length, shapeOf(columns, 'delta').levels[0]!.sizes.length]).toEqual([0, 0])
  expect(() => bookColumns({ ...block, timesMs: new Uint8Array([9]) })).toThrow(
    /^Cannot read the books of a stored block: /,
  )
})

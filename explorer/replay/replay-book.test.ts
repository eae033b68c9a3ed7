// Moves a book forwards and backwards over the levels that records change.

import { expect, test } from 'bun:test'
import { ASK, BID, type ChangeBlock, GAP, LEVEL, NO_LEVEL, SNAPSHOT } from '../data/replay/change-block.ts'
import { bestOf, ReplayBook, sortedLevels } from './replay-book.ts'

type Row = [kind: number, side: number, price: number, before: number, after: number]
const block = (...rows: Row[]) =>
  ({
    ...{
      rows: rows.length,
      kinds: Uint8Array.from(rows, ([kind]) => kind),
      sides: Uint8Array.from(rows, (row) => row[1]),
    },
    prices: Float64Array.from(rows, (row) => row[2]),
    before: Float64Array.from(rows, (row) => row[3]),
    after: Float64Array.from(rows, (row) => row[4]),
  }) as ChangeBlock

const ROWS = block([LEVEL, BID, 0.4, 5, 0], [LEVEL, BID, 0.41, 0, 2], [LEVEL, ASK, 0.5, 3, 1], [GAP, NO_LEVEL, 0, 0, 0])
const levelsOf = (book: ReplayBook) => [sortedLevels(book.bids, BID), sortedLevels(book.asks, ASK)]
const begun = () =>
  new ReplayBook(
    [
      [0.4, 5],
      [0.3, 1],
      [0.2, 0],
    ],
    [
      [0.5, 3],
      [0.6, 0],
    ],
    'established',
  )

test('forwards each level gets its `after` size, backwards its `before` size', () => {
  const book = begun()
  const start = [
    [
      [0.4, 5],
      [0.3, 1],
    ],
    [[0.5, 3]],
  ]
  expect(levelsOf(book)).toEqual(start as never)
  book.move(ROWS, 0, 3)
  expect(levelsOf(book)).toEqual([
    [
      [0.41, 2],
      [0.3, 1],
    ],
    [[0.5, 1]],
  ])
  book.move(ROWS, 3, 1)
  expect(levelsOf(book)).toEqual([[[0.3, 1]], [[0.5, 3]]])
  book.move(ROWS, 1, 0)
  expect(levelsOf(book)).toEqual(start as never)
})

test('forwards trust follows snapshots and gaps; after a step back over one it is unknown', () => {
  const book = begun()
  book.move(ROWS, 0, 3)
  expect(book.trust).toBe('established')
  book.move(ROWS, 3, 4)
  expect(book.trust).toBe('lost')
  book.move(ROWS, 4, 3)
  expect(book.trust).toBeNull()
  book.move(block([SNAPSHOT, BID, 0.4, 0, 1]), 0, 1)
  expect([book.trust, book.isSure]).toEqual(['established', true])
  const unknown = new ReplayBook([], [], 'unknown')
  unknown.move(block([LEVEL, BID, 0.4, 0, 1]), 0, 1)
  expect(unknown.trust).toBe('observed')
})

test('only an established book stays sure, and only forwards', () => {
  const sureAfter = (trust: 'established' | 'observed', direction: 1 | -1) => {
    const book = new ReplayBook([], [], trust)
    book.passed(direction)
    const { isSure } = book
    book.confirm('observed')
    return [isSure, book.isSure]
  }
  expect(sureAfter('established', 1)).toEqual([true, true])
  expect([sureAfter('established', -1), sureAfter('observed', 1)]).toEqual([
    [false, true],
    [false, true],
  ])
})

test('the best of a side', () => {
  const levels = new Map([
    [0.4, 1],
    [0.5, 1],
    [0.3, 1],
  ])
  expect([bestOf(levels, BID), bestOf(levels, ASK), bestOf(new Map(), BID)]).toEqual([0.5, 0.3, undefined])
})

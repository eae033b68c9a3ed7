// Tests the levels in which two states of a book differ, before and after a change of both.

import { expect, test } from 'bun:test'
import { ASK, BID } from './ladder.ts'
import { difference, differenceAfter, levelsOf } from './level-difference.ts'
import { levelKey } from './level-key.ts'
import { OrderBook } from './order-book.ts'

test('the levels of a book by key: bids, then asks, the best first', () => {
  const book = new OrderBook()
  book.setLevel(BID, 400_000, 5)
  book.setLevel(ASK, 500_000, 7)
  book.setLevel(BID, 450_001, 6)
  const expected = [
    [levelKey(BID, 450_001), 6],
    [levelKey(BID, 400_000), 5],
    [levelKey(ASK, 500_000), 7],
  ]
  expect([...levelsOf(book)]).toEqual(expected as never)
})

test('levels that only one state has, or that differ in size', () => {
  const one = new Map([
    [1, 5],
    [2, 6],
    [3, 7],
  ])
  const other = new Map([
    [1, 5],
    [2, 9],
    [4, 8],
  ])
  expect(difference(one, other)).toEqual([
    [2, 6],
    [3, 7],
    [4, 0],
  ])
  expect(difference(one, new Map(one))).toEqual([])
})

test('after a change of both, a level differs only if its sizes still do', () => {
  const differing: [number, number][] = [
    [2, 6],
    [3, 7],
  ]
  expect(differenceAfter(differing, 2, -6, true, 0, 0)).toEqual([[3, 7]])
  expect(differenceAfter(differing, 2, 1, true, 10, 0)).toEqual([
    [2, 7],
    [3, 7],
  ])
  expect(differenceAfter(differing, 2, -9, true, 0, 0)).toEqual([[3, 7]])
  expect(differenceAfter(differing, 3, 4, false, 4, 0)).toEqual([[2, 6]])
  expect(differenceAfter(differing, 5, 4, false, 4, 0)).toEqual(differing)
})

// Rows of one recorder follow its numbers. If another recorder takes over, the book restarts with the next snapshot.

import { expect, test } from 'bun:test'
import { BOOK_EVENTS, SegmentOrder, type SegmentRows } from './segments.ts'

type Row = [
  received: number,
  type: (typeof BOOK_EVENTS)[number],
  recorder: number,
  counter: number,
  generation?: number,
]
const [BOOK, CHANGE, BEST, TRADE] = BOOK_EVENTS

function ordered(...rows: Row[]) {
  const of: SegmentRows = {
    received: Float64Array.from(rows, ([received]) => received),
    generations: Float64Array.from(rows, ([, , , , generation = 0]) => generation),
    counters: Float64Array.from(rows, ([, , , counter]) => counter),
    recorders: Uint8Array.from(rows, ([, , recorder]) => recorder),
    types: Uint8Array.from(rows, ([, type]) => BOOK_EVENTS.indexOf(type)),
  }
  const { shown, count, leftOut, gaps } = new SegmentOrder().of(Uint32Array.from(rows.keys()), of)
  return { shown: [...shown.subarray(0, count)], leftOut, gaps }
}

test('orders rows of one recorder by restart, then by its numbers, whatever the clock says', () =>
  expect(ordered([9, BOOK, 1, 5], [1, CHANGE, 1, 7], [2, CHANGE, 1, 6], [0, CHANGE, 1, 1, 1])).toEqual({
    ...{ shown: [0, 2, 1, 3], leftOut: 0, gaps: [] },
  }))

test('another recorder takes over: changes and best prices wait for a snapshot, trades do not', () =>
  expect(
    ordered(
      [1, BOOK, 1, 1],
      [2, CHANGE, 1, 2],
      [3, CHANGE, 2, 1],
      [4, BEST, 2, 2],
      [5, TRADE, 2, 3],
      [6, BOOK, 2, 4],
      [7, CHANGE, 2, 5],
    ),
  ).toEqual({ shown: [0, 1, 4, 5, 6], leftOut: 2, gaps: [{ after: 1, from: 2, to: 6 }] }))

test('a gap without a snapshot after it ends with its last dropped row', () =>
  expect(ordered([1, BOOK, 1, 1], [3, CHANGE, 2, 1], [4, CHANGE, 2, 2]).gaps).toEqual([{ after: 0, from: 1, to: 4 }]))

test('best prices of another recorder are dropped, and a book without an earlier row loses nothing', () => {
  expect(ordered([1, BOOK, 1, 1], [2, BEST, 2, 1], [3, BEST, 1, 2])).toEqual({ shown: [0, 2], leftOut: 1, gaps: [] })
  expect(ordered([1, TRADE, 2, 1], [2, CHANGE, 1, 1], [3, CHANGE, 1, 2])).toEqual({
    shown: [0, 1, 2],
    leftOut: 0,
    gaps: [],
  })
})

// Changes of a book are applied to the price steps of a map, while the book is known.

import { expect, test } from 'bun:test'
import { madeBook } from '../../test/support/books/made-book.ts'
import { ASK, BID, SIDE_CELLS } from '../book/ladder.ts'
import { levelKey } from '../book/level-key.ts'
import type { OrderBook } from '../book/order-book.ts'
import { BookOnMap } from './book-on-map.ts'
import { PriceSteps } from './price-steps.ts'

const FROM = 1_000
const C = 1_000_000

function mapped(run: (sink: BookOnMap) => void) {
  const steps = new PriceSteps({
    ...{ fromMs: FROM, toMs: FROM + 49, resolutionMs: 10, stepMicros: 100_000, aggregate: 'last', isRounded: false },
  })
  const sink = new BookOnMap(steps)
  sink.block({ columns: { timesMs: Float64Array.of(0, 10, 20, 30, 40).map((ms) => FROM + ms) } } as never)
  run(sink)
  steps.finish()
  const rows = steps.rows.flatMap((sizes, step) => (sizes === undefined ? [] : [[step, ...sizes]]))
  return { rows, knownMs: [...steps.knownMs] }
}
const lost = (): OrderBook => {
  const book = madeBook([], [])
  book.reset('gap')
  return book
}

test('levels of the book, cells and levels that change', () =>
  expect(
    mapped((sink) => {
      const book = madeBook([[400_000, 5 * C]], [[600_000, 7 * C]])
      sink.begin(book)
      sink.open(book, FROM)
      sink.changedCell(1, 4_000, 6 * C, 5 * C)
      sink.changedCell(2, SIDE_CELLS + 4_000, 8 * C, 7 * C)
      sink.comparedLevels(1, 3)(levelKey(BID, 300_000), 1, false, 2 * C, 0)
      sink.comparedLevels(1, 4)(levelKey(ASK, 400_000), 1, false, 0, 8 * C)
      sink.close(FROM + 50)
    }),
  ).toEqual({
    rows: [
      [3, 0, 0, 0, 2, 2],
      [4, 5, 6, 6, 6, 6],
      [6, -7, -7, -8, -8, 0],
    ],
    knownMs: [10, 10, 10, 10, 10],
  }))

test('a snapshot replaces all levels; after a gap, nothing is known until the next snapshot', () =>
  expect(
    mapped((sink) => {
      const before = madeBook([[400_000, 5 * C]], [])
      sink.begin(before)
      sink.open(before, FROM)
      sink.snapshot(before, 1, 1)
      sink.snapshotApplied(madeBook([[300_000, 4 * C]], []))
      sink.losing(lost(), 1, 2)
      sink.snapshot(lost(), 1, 4)
      sink.snapshotApplied(madeBook([[300_000, 3 * C]], []))
      sink.close(FROM + 50)
    }),
  ).toEqual({
    rows: [
      [3, 0, 4, 0, 0, 3],
      [4, 5, 0, 0, 0, 0],
    ],
    knownMs: [10, 10, 0, 0, 10],
  }))

test('a switch shows the book of another source, which may be lost', () =>
  expect(
    mapped((sink) => {
      const [one, other] = [madeBook([[400_000, 5 * C]], []), madeBook([[300_000, 4 * C]], [])]
      sink.begin(one)
      sink.open(one, FROM)
      sink.switched(one, other, FROM + 10)
      sink.switched(other, lost(), FROM + 20)
      sink.switched(lost(), one, FROM + 40)
      sink.close(FROM + 50)
    }),
  ).toEqual({
    rows: [
      [3, 0, 4, 0, 0, 0],
      [4, 5, 0, 0, 0, 5],
    ],
    knownMs: [10, 10, 0, 0, 10],
  }))

test('a lost book is known only from its next snapshot on', () =>
  expect(
    mapped((sink) => {
      sink.begin(lost())
      sink.open(lost(), FROM)
      sink.snapshot(lost(), 1, 3)
      sink.snapshotApplied(madeBook([[300_000, 3 * C]], []))
      sink.close(FROM + 50)
    }).knownMs,
  ).toEqual([0, 0, 0, 10, 10]))

// Tests a list of books, each valid from a bucket on. A later book of the same bucket replaces the earlier one.

import { expect, test } from 'bun:test'
import { madeBook } from '../../test/support/books/made-book.ts'
import { DepthEntries } from './depth-entries.ts'
import { BID_DEPTH } from './depth-row.ts'

const shape = { levels: 2, bands: [], sizes: [] }
const levelsOf = (entries: DepthEntries, entry: number) =>
  [false, true].map((isAsk) =>
    [0, 1, 2].map((level) => [false, true].map((isSize) => entries.level(entry, isAsk, level, isSize))),
  )

test('the best levels of both sides', () => {
  const entries = new DepthEntries(shape)
  entries.add(
    5,
    madeBook(
      [
        [400_000, 5],
        [390_000, 6],
        [380_000, 7],
      ],
      [[600_000, 8]],
    ),
  )
  entries.add(7, madeBook([], [[610_000, 9]]))
  expect(levelsOf(entries, 0)).toEqual([
    [
      [400_000, 5],
      [390_000, 6],
      [undefined, undefined],
    ],
    [
      [600_000, 8],
      [undefined, undefined],
      [undefined, undefined],
    ],
  ])
  expect([entries.value(0, BID_DEPTH), entries.value(1, BID_DEPTH)]).toEqual([18, 0])
  expect(levelsOf(entries, 1)[1]![0]).toEqual([610_000, 9])
})

test('the last book of a bucket counts', () => {
  const entries = new DepthEntries(shape)
  for (const size of [1, 2, 3]) entries.add(9, madeBook([[400_000, size]], []))
  entries.add(10, madeBook([[400_000, 4]], []))
  expect([entries.count, entries.numberOf(0), entries.numberOf(1)]).toEqual([2, 9, 10])
  expect([entries.level(0, false, 0, true), entries.level(1, false, 0, true)]).toEqual([3, 4])
})

test('thousands of entries', () => {
  const entries = new DepthEntries(shape)
  for (let i = 0; i < 2_600; i++)
    entries.add(
      i,
      madeBook(
        [
          [100 * (i + 1), i + 1],
          [100, 1],
        ],
        [[999_900, i + 1]],
      ),
    )
  for (const i of [0, 1_023, 1_024, 2_047, 2_048, 2_599]) {
    expect([entries.numberOf(i), entries.level(i, false, 0, false), entries.level(i, true, 0, true)]).toEqual([
      i,
      100 * (i + 1),
      i + 1,
    ])
  }
})

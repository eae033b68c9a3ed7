// The trust of a shown book is that of the layer which the date shows at the time.

import { expect, test } from 'bun:test'
import type { Source } from '../../storage/format/head-layers.ts'
import type { BookEntry, InferredGap } from '../../storage/format/partition-head.ts'
import { withTrust } from './shown-trust.ts'

const entry = (id: string, of: Partial<BookEntry> = {}) =>
  ({ id, startsFrom: 'snapshot', firstQuoteMs: 10, ...of }) as BookEntry
const gap = (book: number, fromMs: number, toMs: number | null): InferredGap => ({
  ...{ book, fromMs, toMs, reason: 'crossed', levelsDiffering: null },
})
const heads = new Map<Source, { books: BookEntry[]; inferredGaps: InferredGap[] }>([
  [
    null,
    {
      books: [
        entry('B', {
          trust: [
            [40, 'lost'],
            [60, 'established'],
          ],
        }),
      ],
      inferredGaps: [gap(1, 5, 45), gap(1, 70, null)],
    },
  ],
  [
    'a',
    { books: [entry('A'), entry('B', { startsFrom: 'neither', firstQuoteMs: 30 })], inferredGaps: [gap(2, 35, 55)] },
  ],
])

test('at a switch a book has the trust that the new source gives it', () => {
  const { books } = withTrust([entry('A'), entry('B', { trust: [[1, 'doubtful']] })], heads, [
    [null, 0],
    ['a', 50],
    [null, 80],
  ])
  expect(books.map(({ id, trust }) => [id, trust] as const)).toEqual([
    [
      'A',
      [
        [50, 'established'],
        [80, 'unknown'],
      ],
    ],
    [
      'B',
      [
        [10, 'established'],
        [40, 'lost'],
        [50, 'observed'],
        [80, 'established'],
      ],
    ],
  ])
})

test('inferred gaps of a layer count while it is shown', () => {
  const { inferredGaps } = withTrust([entry('A'), entry('B')], heads, [
    [null, 0],
    ['a', 50],
    [null, 80],
  ])
  expect(inferredGaps.map(({ book, fromMs, toMs }) => [book, fromMs, toMs])).toEqual([
    [2, 5, 45],
    [2, 50, 55],
    [2, 80, null],
  ])
  expect(withTrust([entry('A')], heads, [[null, 0]]).inferredGaps).toEqual([])
})

// Tests the inferred gaps of a date: those of its head, and those of books that continue after days without data.

import { expect, test } from 'bun:test'
import type { BookEntry, InferredGap } from '../../storage/format/partition-head.ts'
import { head } from '../../test/support/server.ts'
import { inferredGapsOn } from './inferred-gaps.ts'

const DATE = '2026-08-10'
const START = Date.parse(DATE)
const book = (id: string, changes: Partial<BookEntry> = {}) => ({ id, startsFrom: 'snapshot', ...changes }) as BookEntry
const gap = (number: number, fromMs: number, toMs: number | null): InferredGap => {
  return { book: number, reason: 'crossed', fromMs, toMs, levelsDiffering: 2 }
}
const gapsOf = (books: BookEntry[], inferredGaps: InferredGap[], before?: string) =>
  inferredGapsOn({ date: DATE, before, head: head({ books, inferredGaps }) })

test('gaps come by their start, then by book and end, one without an end last', () => {
  const given = [gap(2, 5, 9), gap(1, 7, null), gap(1, 7, 8), gap(1, 5, 6), gap(2, 4, null)]
  expect(gapsOf([book('a'), book('b')], given).map((each) => [each.book, each.from, each.to])).toEqual([
    ['b', 4, null],
    ['a', 5, 6],
    ['b', 5, 9],
    ['a', 7, 8],
    ['a', 7, null],
  ])
  expect(gapsOf([book('a')], [gap(1, 5, 6)])).toEqual([
    { book: 'a', reason: 'crossed', from: 5, to: 6, levels_differing: 2 },
  ])
})

test('a book that continues after days without data is doubtful until its trust first changes', () => {
  const books = [
    book('snapshot'),
    book('on', { startsFrom: 'opening_book' }),
    book('until', {
      startsFrom: 'opening_book',
      trust: [
        [0, 'doubtful'],
        [START + 5, 'established'],
        [START + 9, 'doubtful'],
      ],
    }),
  ]
  const reason = 'days_without_data'
  const from = { reason, from: START, levels_differing: null }
  expect(gapsOf(books, [], '2026-08-08')).toEqual([
    { book: 'on', ...from, to: null },
    { book: 'until', ...from, to: START + 5 },
  ] as never)
  expect([gapsOf(books, [], '2026-08-09'), gapsOf(books, [], undefined)]).toEqual([[], []])
})

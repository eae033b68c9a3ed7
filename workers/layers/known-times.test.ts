// A layer knows a book from its first quote to its last record, except during gaps.

import { expect, test } from 'bun:test'
import type { BookEntry, GapEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { type DateCoverage, knownTimes, opensWith } from './known-times.ts'

const DATE = '2026-08-10'
const DAY = Date.parse(DATE)
const END = DAY + 86_400_000

const book = (of: Partial<BookEntry>) =>
  ({ id: 'A', recordCount: 2, tradeCount: 0, startsFrom: 'snapshot', firstQuoteMs: DAY + 10, ...of }) as BookEntry
const gap = (fromMs: number | null, atMs: number, of: Partial<GapEntry> = {}): GapEntry => ({
  ...{ book: null, reason: 'lag', fromMs: fromMs === null ? null : DAY + fromMs, toMs: null, atMs: DAY + atMs },
  ...of,
})

function known(books: BookEntry[], gaps: GapEntry[] = [], of: Partial<DateCoverage> = {}): number[][] {
  const head = { books, gaps, inferredGaps: [], lastMs: DAY + 100 } as unknown as PartitionHead
  const coverage = { head, before: undefined, continues: false, ...of }
  return knownTimes(DATE, coverage, END).map(({ fromMs, toMs }) => [fromMs - DAY, toMs - DAY])
}

test('from the first quote to the last record', () => {
  expect(known([book({})])).toEqual([[10, 101]])
  expect(known([book({})], [], { continues: true })).toEqual([[10, END - DAY]])
  expect(known([book({ firstQuoteMs: null })])).toEqual([])
  expect(known([book({ recordCount: 2, tradeCount: 2 })])).toEqual([])
})

test('any book counts, and their times are joined', () =>
  expect(known([book({ firstQuoteMs: DAY + 50 }), book({ id: 'B' })])).toEqual([[10, 101]]))

test('a gap takes the time from when messages may be missing to the next snapshot', () => {
  const lost = book({
    trust: [
      [DAY + 40, 'lost'],
      [DAY + 60, 'established'],
    ],
  })
  expect(known([lost], [gap(30, 40)])).toEqual([
    [10, 30],
    [60, 101],
  ])
  expect(known([lost], [gap(null, 40)])).toEqual([
    [10, 40],
    [60, 101],
  ])
  expect(known([lost], [gap(30, 40, { book: 'B' })])).toEqual([
    [10, 40],
    [60, 101],
  ])
  expect(known([book({})], [gap(30, 40, { isCovered: true })])).toEqual([[10, 101]])
})

test('a snapshot of the same ms ends a gap at once, and only the first gap of a ms counts', () => {
  expect(known([book({})], [gap(30, 40), gap(20, 40)])).toEqual([
    [10, 30],
    [40, 101],
  ])
})

test('a book of the day before is known from the start of the day', () => {
  const opens = book({ startsFrom: 'opening_book', firstQuoteMs: DAY + 10 })
  const before = { books: [{ id: 'A', quoteCount: 1 }] } as PartitionHead
  expect(known([opens], [], { before })).toEqual([[0, 101]])
  expect(known([opens])).toEqual([[10, 101]])
  expect(opensWith({ ...opens, startsFrom: 'snapshot' }, before)).toBe(false)
  const doubtful = { ...opens, trust: [[0, 'doubtful']] as BookEntry['trust'] } as BookEntry
  expect(opensWith(doubtful, before)).toBe(true)
  expect(opensWith(doubtful, { books: [{ id: 'A', quoteCount: 0 }] } as PartitionHead)).toBe(false)
})

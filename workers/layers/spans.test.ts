// The heads of a date's layers decide which source it shows at each time. Tests each sentence of docs/sources.md.

import { expect, test } from 'bun:test'
import type { BookEntry, GapEntry, PartitionHead } from '../../storage/format/partition-head.ts'
import { inOrder, type LayerOfDate, spansOf } from './spans.ts'

const DATE = '2026-08-10'
const DAY = Date.parse(DATE)
const AT = (second: number) => DAY + 1_000 * second

/** A layer. `last` is the second of its last record. `before` is the number of quotes of the book on the day before. */
type LayerValues = {
  books?: Partial<BookEntry>[]
  gaps?: GapEntry[]
  last?: number
  agreed?: [number, number]
  before?: number
  continues?: boolean
}

function layerOf(source: string | null, { books = [], gaps = [], last = 86_399, ...more }: LayerValues): LayerOfDate {
  const { agreed = [0, 0], before, continues = false } = more
  const quality = { bestPricesAgreed: agreed[0], bestPricesChecked: agreed[1] }
  const counts = { recordCount: 1, tradeCount: 0 }
  const entries = books.map((book) => ({ startsFrom: 'snapshot', ...counts, ...book, quality: { ...quality } }))
  const head = { books: entries, gaps, inferredGaps: [], lastMs: AT(last) } as unknown as PartitionHead
  const dayBefore = { books: [{ id: 'A', quoteCount: before }] } as PartitionHead
  return { source, head, before: before === undefined ? undefined : dayBefore, continues, hasRecordIn: () => true }
}

const from = (second: number, more: Partial<BookEntry> = {}): Partial<BookEntry> => ({
  id: 'A',
  firstQuoteMs: AT(second),
  ...more,
})
const gap = (second: number, at: number, more: Partial<GapEntry> = {}): GapEntry => ({
  ...{ book: null, reason: 'reconnect', fromMs: AT(second), toMs: AT(at), atMs: AT(at), ...more },
})
const shown = (layers: LayerOfDate[], order: string[] = []) =>
  spansOf(DATE, inOrder(layers, order)).map(([source, ms]) => [source, (ms - DAY) / 1_000])

const ARCHIVE = layerOf('a', { books: [from(0)] })

test('own records alone', () => {
  expect(shown([layerOf(null, { books: [from(10)] })])).toEqual([[null, 0]])
})

test('the time before the first own book is a hole, and that after the last own record', () => {
  const own = layerOf(null, { books: [from(10)], last: 50 })
  expect(shown([own, ARCHIVE])).toEqual([
    ['a', 0],
    [null, 10],
    ['a', 50.001],
  ])
  expect(shown([{ ...own, continues: true }, ARCHIVE])).toEqual([
    ['a', 0],
    [null, 10],
  ])
})

test('an archive that has ended, or not begun, fills no hole', () => {
  const own = layerOf(null, { books: [from(10)], last: 50 })
  expect(shown([own, layerOf('a', { books: [from(20)], last: 40 })])).toEqual([[null, 0]])
  expect(shown([own, layerOf('a', { books: [from(20)], last: 60 })])).toEqual([
    [null, 0],
    ['a', 50.001],
  ])
})

test('an opening book from the date before leaves no hole at the begin, one of an older date does', () => {
  const books = [from(10, { startsFrom: 'opening_book' })]
  expect(shown([layerOf(null, { books, before: 1, continues: true }), ARCHIVE])).toEqual([[null, 0]])
  const late = [
    ['a', 0],
    [null, 10],
  ]
  expect(shown([layerOf(null, { books, continues: true }), ARCHIVE])).toEqual(late)
  // The day before only continued the book.
  const carried = [from(10, { startsFrom: 'opening_book', trust: [[0, 'doubtful']] })]
  expect(shown([layerOf(null, { books: carried, before: 0, continues: true }), ARCHIVE])).toEqual(late)
  expect(shown([layerOf(null, { books: carried, before: 3, continues: true }), ARCHIVE])).toEqual([[null, 0]])
})

test('a gap of all books is a hole from its start to the first snapshot; a covered gap is not a hole', () => {
  const lost: [number, 'lost' | 'established'][] = [
    [AT(20), 'lost'],
    [AT(30), 'established'],
  ]
  const books = [
    from(0, { trust: lost }),
    from(0, {
      id: 'B',
      trust: [
        [AT(20), 'lost'],
        [AT(25), 'established'],
      ],
    }),
  ]
  const own = layerOf(null, { books, gaps: [gap(18, 20)] })
  expect(shown([{ ...own, continues: true }, ARCHIVE])).toEqual([
    [null, 0],
    ['a', 18],
    [null, 25],
  ])
  // Only book A has the gap; the other book continues.
  const one = layerOf(null, {
    books: [from(0, { trust: lost }), from(0, { id: 'B' })],
    gaps: [gap(18, 20, { book: 'A' })],
  })
  expect(shown([{ ...one, continues: true }, ARCHIVE])).toEqual([[null, 0]])
})

test('a hole shows an archive that knows a book in it, else it is own', () => {
  const own = layerOf(null, { books: [from(10)], continues: true })
  const late = layerOf('a', { books: [from(11)] })
  expect(shown([own, late])).toEqual([[null, 0]])
  expect(shown([own, late, layerOf('b', { books: [from(5)] })])).toEqual([
    ['b', 0],
    [null, 10],
  ])
})

test('of several archives the first in the order, then by their agreement, then by name', () => {
  const half = layerOf('b', { books: [from(0)], agreed: [1, 2] })
  const none = layerOf('c', { books: [from(0)] })
  expect(shown([ARCHIVE, none])).toEqual([['a', 0]])
  expect(shown([ARCHIVE, half, none])).toEqual([['b', 0]])
  expect(shown([ARCHIVE, half, none], ['c'])).toEqual([['c', 0]])
})

test('a date without an own record and without a book shows the first archive', () => {
  expect(shown([layerOf('a', {}), layerOf('b', {})])).toEqual([['a', 0]])
  expect(shown([layerOf(null, { books: [] }), layerOf('b', {})])).toEqual([[null, 0]])
})

// Evidence makes a book doubtful from the last record before the quote that shows it.

import { expect, test } from 'bun:test'
import type { BookColumns } from './book-columns.ts'
import { type BeforeBlock, beforeQuote, doubtfulSpans, type Evidence, endOfQuote, firstEvidence } from './evidence.ts'

const KINDS = ['snapshot', 'delta', 'trade', 'gap'] as const
type Row = [ms: number, kind: (typeof KINDS)[number], book: number, opens?: boolean]

const columnsOf = (...rows: Row[]) =>
  ({
    timesMs: Float64Array.from(rows, ([ms]) => ms),
    operations: Uint16Array.from(rows, ([, kind, , opens]) => 2 * KINDS.indexOf(kind) + (opens ? 1 : 0)),
    books: Uint16Array.from(rows, ([, , book]) => book),
    shapes: KINDS.map((kind) => ({ kind })),
  }) as unknown as BookColumns

const columns = columnsOf(
  [10, 'delta', 1, true],
  [20, 'delta', 2, true],
  [30, 'delta', 1, true],
  [31, 'delta', 1],
  [32, 'trade', 1],
  [33, 'delta', 2],
)

test('a quote ends after its last change or snapshot', () => {
  expect(endOfQuote(columns, 1, 6)).toBe(4)
  expect(endOfQuote(columns, 2, 5)).toBe(2)
  expect(endOfQuote(columns, 3, 6)).toBe(0)
  expect(endOfQuote(columns, 1, 0)).toBe(0)
})

test.each<[string, BookColumns, number, number, BeforeBlock?]>([
  ['the record before the open quote', columns, 6, 10],
  ['a quote that begins the block', columns, 2, 7],
  ['a book without an earlier record', columns, 2, 10, { lastMs: -1, quoteFromMs: 5 }],
  ['an open quote of an earlier block', columnsOf([40, 'delta', 1]), 1, 5],
  ['a snapshot within the quote', columnsOf([1, 'delta', 1, true], [2, 'snapshot', 1], [3, 'delta', 1]), 3, 2],
  ['a gap of the market', columnsOf([1, 'delta', 1, true], [2, 'gap', 0], [3, 'delta', 1, true]), 3, 2],
  ['a trade of another book', columnsOf([1, 'delta', 1], [2, 'trade', 2], [3, 'delta', 1, true]), 3, 1],
])('%s', (_, of, end, expected, before = { lastMs: 7, quoteFromMs: 5 }) =>
  expect(beforeQuote(of, 1, end, before)).toBe(expected),
)

test('the evidence at the earlier record counts; at the same record, that of the sequence number', () => {
  const at = (record: number, reason: Evidence['reason']): Evidence => ({ reason, fromMs: 1, record })
  const [number, book] = [at(5, 'sequence_hole'), at(4, 'crossed')]
  expect(firstEvidence(number, book)).toBe(book)
  expect(firstEvidence(number, at(5, 'crossed'))).toBe(number)
  expect(firstEvidence(null, book)).toBe(book)
  expect(firstEvidence(number)).toBe(number)
})

test('the doubtful spans of a book, the last without an end', () => {
  const gap = (book: number, fromMs: number, toMs: number | null) =>
    ({ book, fromMs, toMs, reason: 'crossed', levelsDiffering: null }) as const
  const head = { books: [{ id: 'A' }, { id: 'B' }], inferredGaps: [gap(2, 1, 5), gap(1, 2, 3), gap(2, 9, null)] }
  expect(doubtfulSpans(head as never, 'B')).toEqual([
    { fromMs: 1, endMs: 5 },
    { fromMs: 9, endMs: Number.POSITIVE_INFINITY },
  ])
})

// Records, snapshots and trades of each book are counted, and a first snapshot replaces what a day opened with.

import { expect, test } from 'bun:test'
import type { BookColumns } from '../book/book-columns.ts'
import { OrderBook } from '../book/order-book.ts'
import { newEntry } from '../partition/opening-books.ts'
import { RecordCounts } from './record-counts.ts'

const KINDS = ['snapshot', 'delta', 'trade', 'gap', 'other'] as const
type Row = [kind: (typeof KINDS)[number], book: number]

const columnsOf = (...rows: Row[]) =>
  ({
    recordCount: rows.length,
    timesMs: new Float64Array(rows.length),
    operations: Uint16Array.from(rows, ([kind]) => 2 * KINDS.indexOf(kind)),
    books: Uint16Array.from(rows, ([, book]) => book),
    bookIds: ['A', 'B'],
    shapes: KINDS.map((kind) => ({ kind, isAside: false, isSigned: false, levels: [], best: undefined })),
  }) as BookColumns

const sizes = (...trades: number[]) => KINDS.map((kind) => (kind === 'trade' ? Float64Array.from(trades) : undefined))
const opened = (id: string) => ({
  ...newEntry(id),
  opening: { bid: 1, bidSize: 2, ask: 3, askSize: 4 },
  startsFrom: 'opening_book' as const,
})

test('records, snapshots, trades that can be read, and those without a book', () => {
  const entries = [newEntry('A'), newEntry('B')]
  const counts = new RecordCounts(entries, [])
  const rows: Row[] = [
    ['snapshot', 1],
    ['trade', 1],
    ['trade', 2],
    ['trade', 0],
    ['trade', 1],
    ['other', 2],
    ['gap', 0],
  ]
  expect([counts.hasMarketGap, counts.bookless]).toEqual([false, undefined])
  counts.add(columnsOf(...rows), sizes(5, 7, 2 ** 53 - 1, Number.NaN), [])
  counts.add(columnsOf(['trade', 0], ['snapshot', 1]), sizes(2), [])
  expect(
    entries.map(({ recordCount, snapshotCount, tradeCount, tradeVolume }) => [
      recordCount,
      snapshotCount,
      tradeCount,
      tradeVolume,
    ]),
  ).toEqual([
    [4, 2, 1, '5'],
    [2, 0, 1, '7'],
  ])
  expect(counts.bookless).toEqual({ tradeCount: 2, tradeVolume: '9007199254740993' })
  expect(counts.hasMarketGap).toBe(true)
})

test.each<[string, Row[], 'snapshot' | 'opening_book']>([
  ['a snapshot', [['snapshot', 1]], 'snapshot'],
  [
    'a snapshot behind a trade',
    [
      ['trade', 1],
      ['snapshot', 1],
    ],
    'snapshot',
  ],
  [
    'a snapshot behind a change',
    [
      ['delta', 1],
      ['snapshot', 1],
    ],
    'opening_book',
  ],
  [
    'a snapshot behind a gap of the market',
    [
      ['gap', 0],
      ['snapshot', 1],
    ],
    'opening_book',
  ],
  ['a snapshot of another book', [['snapshot', 2]], 'opening_book'],
])('a day of %s', (_, rows, startsFrom) => {
  const entry = { ...opened('A'), trust: [[0, 'doubtful']] as [number, 'doubtful'][] }
  const books = [undefined, new OrderBook(), new OrderBook()]
  books[1]!.reset('snapshot')
  new RecordCounts([entry, newEntry('B')], ['A', 'B']).add(columnsOf(...rows), sizes(1), books)
  const isReplaced = startsFrom === 'snapshot'
  expect([entry.startsFrom, entry.opening === null, entry.trust === undefined]).toEqual([
    startsFrom,
    isReplaced,
    isReplaced,
  ] as never)
  expect(books[1]!.trust === 'established').toBe(!isReplaced)
})

// Seconds of each book are collected in chunks; chunks join to the same rows wherever they were cut.

import { expect, test } from 'bun:test'
import { BID } from '../book/ladder.ts'
import { OrderBook } from '../book/order-book.ts'
import type { BucketColumns } from './bucket-columns.ts'
import { joinChunks, joinRows, RollupSink } from './rollup-sink.ts'

const START = 1_786_363_200_000

function quoted(ms: number, height: number): OrderBook {
  const book = new OrderBook()
  book.setLevel(BID, height, 1)
  book.openQuoteMs = START + ms
  return book
}

const rowsOf = (rows: BucketColumns | undefined) =>
  rows &&
  Array.from({ length: rows.count }, (_, i) => [rows.numbers[i]! - START / 1_000, rows.quoteCounts[i], rows.bids[i]])

const quotes = [
  [0, 10],
  [500, 11],
  [999, 12],
  [1_000, 13],
  [61_000, 14],
  [61_500, 15],
] as const

test('rows of every book by number, and where a quote is open', () => {
  const sink = new RollupSink()
  sink.quote(quoted(0, 10), 2)
  sink.gap(quoted(0, 10), 2, START + 1_500)
  const { rows, openMs } = sink.take([undefined, undefined, quoted(1_700, 5), quoted(1_700, 5)])
  expect(rows.map(rowsOf)).toEqual([
    undefined,
    [
      [0, 1, 10],
      [1, 0, -1],
    ],
  ])
  expect(openMs).toEqual([-1, START + 1_700, START + 1_700])
  expect(sink.take([undefined]).rows).toEqual([])
})

test.each([1, 2, 3, 4, 5])('cut before quote %d', (cut) => {
  const chunksOf = (...parts: (readonly (readonly [number, number])[])[]) => {
    const sink = new RollupSink()
    return parts.map((part) => {
      for (const [ms, height] of part) sink.quote(quoted(ms, height), 1)
      return sink.take([undefined, quoted(part.at(-1)![0], 1)])
    })
  }
  const [one, other] = chunksOf(quotes.slice(0, cut), quotes.slice(cut))
  const joined = joinChunks(one!, other!)
  expect(joined.rows.map(rowsOf)).toEqual([
    [
      [0, 3, 12],
      [1, 1, 13],
      [61, 2, 15],
    ],
  ])
  expect(joined.openMs).toEqual(other!.openMs)
  const minutes = joinRows([one!.rows[0], undefined, other!.rows[0]], 60, 1)
  expect(rowsOf(minutes)!.map(([, count, bid]) => [count, bid])).toEqual([
    [4, 13],
    [2, 15],
  ])
})

test('a book that only one chunk has stays as it is', () => {
  const sink = new RollupSink()
  sink.quote(quoted(0, 10), 1)
  const one = sink.take([])
  sink.quote(quoted(0, 20), 2)
  const other = sink.take([])
  const { rows } = joinChunks(one, other)
  expect([rows[0], rows[1]]).toEqual([one.rows[0]!, other.rows[1]!])
})

// Tests a book of a date in Tardis' four files.

import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { madeBook, observedBook } from '../../../test/support/books/made-book.ts'
import { presentRecord as at, EXPORT_DATE, EXPORT_START_MS } from '../../../test/support/export/made-record.ts'
import { MemoryFiles } from '../../../test/support/export/memory-file.ts'
import { ASK, BID } from '../../book/ladder.ts'
import { levelKey } from '../../book/level-key.ts'
import { TARDIS_TYPES, TardisBook } from './tardis-book.ts'

const files = () => {
  const memory = new MemoryFiles()
  const of = { venue: 'kalshi', market: 'KX', book: 'KX/1', date: EXPORT_DATE } as const
  return { memory, book: new TardisBook(of, memory.begin) }
}
/** Returns the rows of a file, with ms of the date as times and without empty cells at the end. */
function rowsOf(memory: MemoryFiles, type: string): string[] {
  const lines = gunzipSync(memory.named(`/${type}/`).bytes)
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
  return lines.map((line) => {
    const [, , event, local, ...cells] = line.split(',')
    const ms = (us: string) => (Number(us) - 1_000 * EXPORT_START_MS) / 1_000
    return [ms(event!), ms(local!), ...cells].join(',').replace(/,+$/, '')
  })
}

test('a snapshot, a change, an equal change and a trade', () => {
  const { memory, book } = files()
  book.snapshot(at(0, 10), madeBook([[400_000, 5_000_000]], [[600_000, 7_000_000]]))
  book.level(at(1, 20), levelKey(BID, 400_000), 4_000_000, 5_000_000)
  book.changed(at(1, 20), madeBook([[400_000, 4_000_000]], [[600_000, 7_000_000]]))
  book.level(at(2, 30), levelKey(ASK, 1), 0, 0)
  book.changed(at(2, 30), madeBook([[400_000, 4_000_000]], [[600_000, 7_000_000]]))
  book.gap(at(2, 20))
  book.trade(at(3, 40), { price: 600_000, size: 1_500_000, side: 1, id: () => 'a,b' })
  book.trade(at(4, 41), { price: 600_000, size: 1_500_000, side: 0, id: () => null })
  expect(book.finish()).toEqual({ changes: 3, bookSnapshots: 2, quotes: 2, trades: 2, movedTimes: 0, unseenBook: 0 })
  expect(rowsOf(memory, 'incremental_book_L2')).toEqual([
    '10,15,true,bid,0.4,5',
    '10,15,true,ask,0.6,7',
    '20,25,false,bid,0.4,4',
  ])
  expect(rowsOf(memory, 'book_snapshot_25')).toEqual(['10,15,0.6,7,0.4,5', '20,25,0.6,7,0.4,4'])
  expect(rowsOf(memory, 'quotes')).toEqual(['10,15,7,0.6,0.4,5', '20,25,7,0.6,0.4,4'])
  expect(rowsOf(memory, 'trades')).toEqual(['40,45,"a,b",buy,0.6,1.5', '41,46,,unknown,0.6,1.5'])
  expect(memory.all.map(({ path }) => path)).toEqual(
    TARDIS_TYPES.map((type) => `kalshi/${type}/2026/08/10/KX%2F1.csv.gz`),
  )
})

test('an empty snapshot removes the levels, and two snapshots with one time stay distinct', () => {
  const { memory, book } = files()
  for (const record of [0, 1]) book.snapshot(at(record, 10), madeBook([[400_000, 5_000_000]], []))
  book.snapshot(at(2, 20, { venueUs: 0 }), madeBook([], []))
  book.finish()
  expect(rowsOf(memory, 'incremental_book_L2')).toEqual([
    '10,15,true,bid,0.4,5',
    '10,15.001,true,bid,0.4,5',
    '20,25,false,bid,0.4,0',
  ])
})

test('a source that does not have the book leaves no levels', () => {
  const { memory, book } = files()
  book.opening(at(-1, 0), observedBook([[400_000, 5_000_000]], []))
  book.gap(at(0, 10))
  book.gap(at(-2, 20), true)
  book.finish()
  expect(rowsOf(memory, 'incremental_book_L2').map((row) => row.split(',').slice(2).join(','))).toEqual([
    'false,bid,0.4,5',
    'false,bid,0.4,0',
  ])
})

test('before its first snapshot a book has changes only', () => {
  const { memory, book } = files()
  book.opening(at(-1, 0), observedBook([[400_000, 5_000_000]], []))
  book.level(at(0, 10), levelKey(BID, 410_000), 1_000_000, 0)
  book.changed(at(0, 10), observedBook([[410_000, 1_000_000]], []))
  book.switched(at(-1, 20), observedBook([[300_000, 1_000_000]], []))
  expect(book.finish()).toMatchObject({ changes: 5, bookSnapshots: 0, quotes: 0, unseenBook: 1 })
  expect(rowsOf(memory, 'incremental_book_L2').map((row) => row.split(',').slice(2).join(','))).toEqual([
    ...['false,bid,0.4,5', 'false,bid,0.41,1', 'false,bid,0.41,0', 'false,bid,0.4,0', 'false,bid,0.3,1'],
  ])
})

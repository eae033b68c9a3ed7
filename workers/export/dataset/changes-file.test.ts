// Each level that a record changes is a row. The first rows are the levels that the date opens with.

import { expect, test } from 'bun:test'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { madeBook, observedBook } from '../../../test/support/books/made-book.ts'
import { presentRecord as at, EXPORT_START_MS } from '../../../test/support/export/made-record.ts'
import { MemoryFiles } from '../../../test/support/export/memory-file.ts'
import { ASK, BID } from '../../book/ladder.ts'
import { levelKey } from '../../book/level-key.ts'
import { ChangesFile } from './changes-file.ts'

async function exported(run: (file: ChangesFile) => void) {
  const memory = new MemoryFiles()
  const file = new ChangesFile('x.parquet', '17', memory.begin)
  run(file)
  const counts = file.finish()
  const objects = await parquetReadObjects({ file: memory.all[0]!.bytes.buffer, compressors })
  expect([memory.all[0]!.path, memory.all[0]!.rows]).toEqual(['x.parquet', objects.length])
  const ms = (date: unknown) =>
    date === undefined || date === null ? null : (date as Date).getTime() - EXPORT_START_MS
  const rows = objects.map((row) => {
    expect(row['book']).toBe('17')
    const times = [ms(row['timestamp']), ms(row['venue_time']), ms(row['received_at'])].map(String).join(' ')
    const { record, kind, side, price, size } = row
    return `${times} | ${record ?? null} ${kind} ${side} ${price} ${size}`
  })
  return { rows, counts }
}

test('an opening book, a snapshot, changes and a gap', async () => {
  const { rows, counts } = await exported((file) => {
    file.opening(at(-1, 0, { venueUs: Number.NaN, receivedMs: Number.NaN }), madeBook([[400_000, 5_000_000]], []))
    file.snapshot(at(0, 10), madeBook([[410_000, 5_000_000]], [[600_000, 7_000_000]]))
    file.level(at(1, 20), levelKey(BID, 410_000), 5_000_000)
    file.level(at(1, 20), levelKey(ASK, 400_000), 0)
    file.changed(at(1, 20), madeBook([], []))
    file.gap(at(2, 30))
    file.gap(at(3, 40))
  })
  expect(rows).toEqual([
    '0 null null | null opening bid 0.4 5',
    '10 10 15 | 0 snapshot bid 0.41 5',
    '10 10 15 | 0 snapshot bid 0.4 0',
    '10 10 15 | 0 snapshot ask 0.6 7',
    '20 20 25 | 1 level ask 0.6 0',
    '30 30 35 | 2 gap bid 0.41 0',
    '40 40 45 | 3 gap none 0 0',
  ])
  expect(counts).toEqual({ rows: 7, unseenBook: 0 })
})

test('a switch is a snapshot, and changes of a book without one are counted', async () => {
  const { rows, counts } = await exported((file) => {
    file.opening(at(-1, 0), observedBook([[400_000, 1_000_000]], []))
    file.changed(at(0, 10), observedBook([[400_000, 1_000_000]], []))
    file.switched(at(-2, 20), madeBook([[300_000, 1_000_000]], []))
  })
  expect(rows.map((row) => row.split('|')[1])).toEqual([
    ' null opening bid 0.4 1',
    ' null snapshot bid 0.4 0',
    ' null snapshot bid 0.3 1',
  ])
  expect(counts).toEqual({ rows: 3, unseenBook: 1 })
})

// Tests a book of a date in hftbacktest's rows: trades come before the levels that they take, and times never step
// back.

import { expect, test } from 'bun:test'
import { madeBook, observedBook } from '../../../test/support/books/made-book.ts'
import { presentRecord as at, EXPORT_START_MS } from '../../../test/support/export/made-record.ts'
import { MemoryNewFile } from '../../../test/support/export/memory-file.ts'
import { readNpz } from '../../../test/support/export/npz-reader.ts'
import { ASK, BID } from '../../book/ladder.ts'
import { levelKey } from '../../book/level-key.ts'
import { EventBook } from './event-book.ts'

const KINDS = ['', 'depth', 'trade', 'clear', 'snapshot']
const START_NS = BigInt(EXPORT_START_MS) * 1_000_000n

function exported(run: (book: EventBook) => void) {
  const file = new MemoryNewFile()
  const book = new EventBook(file, 'x.npz')
  run(book)
  const counts = book.finish()
  expect([file.path, file.rows]).toEqual(['x.npz', counts.rows])
  const rows = readNpz(Buffer.from(file.bytes)).map(({ ev, exch_ts, local_ts, px, qty }) => {
    const ms = (ns: bigint | number | undefined) => Number(BigInt(ns!) - START_NS) / 1e6
    return [KINDS[Number(BigInt(ev!) & 0xffn)], ms(exch_ts), ms(local_ts), px, qty]
  })
  return { rows, counts }
}

test('a snapshot clears both sides, and a trade with its times comes before it', () => {
  const { rows, counts } = exported((book) => {
    book.snapshot(at(0, 10), madeBook([[400_000, 5_000_000]], [[600_000, 7_000_000]]))
    book.trade(at(1, 10), { price: 600_000, size: 1_000_000, side: 1, id: () => null })
    book.level(at(2, 20), levelKey(ASK, 400_000), 6_000_000)
    book.changed(at(2, 20), madeBook([], []))
    book.trade(at(3, 30), { price: 600_000, size: 2_000_000, side: 0, id: () => null })
  })
  expect(rows).toEqual([
    ['trade', 10, 15, 0.6, 1],
    ['clear', 10, 15, 0, 0],
    ['clear', 10, 15, 1, 0],
    ['snapshot', 10, 15, 0.4, 5],
    ['snapshot', 10, 15, 0.6, 7],
    ['depth', 20, 25, 0.6, 6],
    ['trade', 30, 35, 0.6, 2],
  ])
  expect(counts).toMatchObject({ trades: 2, tradesWithoutSide: 1, unseenBook: 0, withoutReceiveTime: 0 })
})

test('raises a venue time that steps back, keeps a finer one, uses exchange time for a missing receipt', () => {
  const us = 1_000 * EXPORT_START_MS
  const { rows, counts } = exported((book) => {
    book.level(at(0, 10, { venueUs: us + 10_250 }), levelKey(BID, 1), 1)
    book.level(at(1, 10, { venueUs: us + 9_000 }), levelKey(BID, 1), 2)
    book.level(at(2, 11, { receivedMs: Number.NaN }), levelKey(BID, 1), 3)
  })
  expect(rows.map(([, exchange, local]) => [exchange, local])).toEqual([
    [11, 11],
    [10.25, 15],
    [10.25, 15],
    [11, 11],
  ])
  expect(counts).toMatchObject({ raisedVenueTimes: 1, withoutReceiveTime: 1, rowsTwice: 1 })
})

test('a gap clears, and a book without a snapshot has changes only', () => {
  const { rows, counts } = exported((book) => {
    book.opening(at(-1, 0), observedBook([[400_000, 5_000_000]], []))
    book.changed(at(0, 10), observedBook([], []))
    book.gap(at(1, 20))
    book.switched(at(-2, 30), observedBook([[300_000, 1_000_000]], []))
  })
  expect(rows.map(([kind, , , price]) => `${kind} ${price}`)).toEqual([
    ...['depth 0.4', 'clear 0', 'clear 1', 'clear 0', 'clear 1', 'depth 0.3'],
  ])
  expect(counts.unseenBook).toBe(1)
})

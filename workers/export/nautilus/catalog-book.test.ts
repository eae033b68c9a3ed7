// Tests a book of a date in a Nautilus catalog: its deltas, complete quotes and trades.

import { expect, test } from 'bun:test'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { madeBook, observedBook } from '../../../test/support/books/made-book.ts'
import { presentRecord as at, EXPORT_DATE, EXPORT_START_MS } from '../../../test/support/export/made-record.ts'
import { MemoryFiles } from '../../../test/support/export/memory-file.ts'
import { BID } from '../../book/ladder.ts'
import { levelKey } from '../../book/level-key.ts'
import { CatalogBook } from './catalog-book.ts'

const files = () => {
  const memory = new MemoryFiles()
  const of = { venue: 'polymarket', market: '0xab', book: '17', date: EXPORT_DATE } as const
  return { memory, book: new CatalogBook(of, memory.begin, { fixedBytes: 8, pricePrecision: 2 }) }
}
const ms = (ns: unknown) => Number(BigInt(ns as bigint) - BigInt(EXPORT_START_MS) * 1_000_000n) / 1e6
const fixed = (bytes: Uint8Array) => Number(new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true)) / 1e9
const rowsOf = (memory: MemoryFiles, type: string) =>
  parquetReadObjects({ file: memory.named(`/${type}/`).bytes.buffer, compressors, utf8: false })
const book = (bid: number, ask = 600_000) => madeBook([[bid, 5_000_000]], [[ask, 7_000_000]])

test('a quote is written when it is complete, with the time of its last record', async () => {
  const { memory, book: catalog } = files()
  catalog.snapshot(at(0, 10), book(400_000))
  catalog.level(at(1, 20), levelKey(BID, 410_000), 5_000_000, 0)
  catalog.changed(at(1, 20), book(410_000))
  catalog.level(at(2, 21, { opensQuote: false }), levelKey(BID, 420_000), 5_000_000, 0)
  catalog.changed(at(2, 21, { opensQuote: false }), book(420_000))
  catalog.changed(at(3, 30), book(420_000))
  catalog.changed(at(4, 40), madeBook([], [[600_000, 1]]))
  catalog.changed(at(5, 50), book(425_000))
  catalog.trade(at(6, 60), { price: 425_500, size: 1_500_000, side: 2, id: () => 'x' })
  expect(catalog.finish()).toEqual({ deltas: 5, quotes: 3, trades: 1, movedTimes: 0, unseenBook: 0, pricePrecision: 4 })
  const quotes = (await rowsOf(memory, 'quotes')).map((row) => [
    ms(row['ts_event']),
    ms(row['ts_init']),
    fixed(row['bid_price']),
    fixed(row['ask_price']),
  ])
  expect(quotes).toEqual([
    [10, 15, 0.4, 0.6],
    [21, 26, 0.42, 0.6],
    [50, 55, 0.425, 0.6],
  ])
  const [trade] = await rowsOf(memory, 'trades')
  expect([
    fixed(trade!['price']),
    fixed(trade!['size']),
    trade!['aggressor_side'],
    Buffer.from(trade!['trade_id']).toString(),
  ]).toEqual([...[0.4255, 1.5, 2, `${EXPORT_DATE}-6`]])
  const { key_value_metadata: pairs } = parquetMetadata(memory.named('/quotes/').bytes.buffer)
  expect(pairs!.slice(0, 3)).toEqual([
    { key: 'instrument_id', value: '0xab-17.POLYMARKET' },
    { key: 'price_precision', value: '4' },
    { key: 'size_precision', value: '6' },
  ])
})

test('before a snapshot and after a gap there is no quote, and no missing level is deleted', async () => {
  const { memory, book: catalog } = files()
  catalog.opening(at(-1, 0), observedBook([[400_000, 1]], []))
  catalog.level(at(0, 10), levelKey(BID, 300_000), 0, 0)
  catalog.changed(at(0, 10), observedBook([[400_000, 1]], []))
  catalog.gap(at(1, 20))
  catalog.switched(at(-2, 30), book(400_000))
  expect(catalog.finish()).toMatchObject({ quotes: 1, unseenBook: 1 })
  const actions = (await rowsOf(memory, 'order_book_deltas')).map((row) => Number(row['action']))
  expect(actions).toEqual([1, 4, 4, 4, 1, 1])
})

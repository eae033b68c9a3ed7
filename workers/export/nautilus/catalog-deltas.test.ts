// Deltas of a catalog: the last row of each message has its flag, a snapshot clears and lists the best level last.

import { expect, test } from 'bun:test'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { madeBook } from '../../../test/support/books/made-book.ts'
import { MemoryNewFile } from '../../../test/support/export/memory-file.ts'
import { CatalogDeltas } from './catalog-deltas.ts'
import { PricePrecision } from './price-precision.ts'

const ACTIONS = ['', 'add', 'update', 'delete', 'clear']
const SIDES = ['-', 'buy', 'sell']

async function rowsOf(run: (deltas: CatalogDeltas) => void) {
  const file = new MemoryNewFile()
  const precision = new PricePrecision(2)
  const deltas = new CatalogDeltas(file, 8, precision)
  deltas.at(5, 7)
  run(deltas)
  deltas.rows.finish('x.parquet', new Map())
  const rows = await parquetReadObjects({ file: file.bytes.buffer, compressors, utf8: false })
  const fixed = (bytes: Uint8Array) => Number(new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true)) / 1e9
  return rows.map((row) => {
    expect([row['order_id'], row['sequence'], row['ts_event'], row['ts_init']].map(Number)).toEqual([
      0, 0, 5_000, 7_000,
    ])
    return `${ACTIONS[Number(row['action'])]} ${SIDES[Number(row['side'])]} ${fixed(row['price'])} ${fixed(row['size'])} ${row['flags']}`
  })
}

test('writes the rows of a message, and flags the last one', async () =>
  expect(
    await rowsOf((deltas) => {
      deltas.change(false, 400_000, 5_000_000)
      deltas.change(true, 600_000, 0)
      deltas.end()
      deltas.change(true, 610_000, 1)
      deltas.end()
      deltas.end()
    }),
  ).toEqual(['update buy 0.4 5 0', 'delete sell 0.6 0 128', 'update sell 0.61 0.000001 128']))

test('a snapshot, a book with some known levels, and an unknown book', async () => {
  const book = madeBook(
    [
      [400_000, 5_000_000],
      [300_000, 4_000_000],
    ],
    [[600_000, 7_000_000]],
  )
  expect(await rowsOf((deltas) => deltas.snapshot(book))).toEqual([
    ...['clear - 0 0 32', 'add buy 0.3 4 32', 'add buy 0.4 5 32', 'add sell 0.6 7 160'],
  ])
  expect(await rowsOf((deltas) => deltas.known(book))).toEqual([
    'add buy 0.3 4 0',
    'add buy 0.4 5 0',
    'add sell 0.6 7 128',
  ])
  expect(await rowsOf((deltas) => deltas.clear())).toEqual(['clear - 0 0 160'])
})

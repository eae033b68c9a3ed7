// A row of events becomes a message of its type, or is rejected with the reason.

import { expect, test } from 'bun:test'
import { CONDITION } from '../../../test/model/lines.ts'
import { CollectedLines } from '../../../test/support/import/collected-lines.ts'
import type { ArchiveOptions } from '../archive.ts'
import { Words } from '../parquet/words.ts'
import { type EventColumns, RowWriter } from './row-writer.ts'

const wordColumn = (text: string | null) => {
  const words = new Words()
  if (text !== null) words.add(Buffer.from(text), 0, text.length)
  return { places: Int32Array.of(text === null ? -1 : 0), words }
}
type Cells = Partial<
  Record<'token' | 'side' | 'hash', string | null> & Record<'price' | 'size' | 'old' | 'new', number>
>
const columnsOf = ({
  token = '17',
  side = 'BUY',
  hash = null,
  price = 4_800,
  size = 1_000_000,
  old = 100,
  new: after = 10,
}: Cells): EventColumns => ({
  ...{ tokens: wordColumn(token), sides: wordColumn(side), transactions: wordColumn(hash) },
  ...{
    prices: Float64Array.of(price),
    sizes: Float64Array.of(size),
    bestBids: new Float64Array(0),
    bestAsks: new Float64Array(0),
  },
  ...{ fees: new Float64Array(0), oldTicks: Float64Array.of(old), newTicks: Float64Array.of(after) },
})

function written(type: string, cells: Cells, isBook = true) {
  const lines = new CollectedLines()
  const text = (cell: Uint8Array) => Buffer.from(cell).toString()
  const side = isBook ? { prices: [4_800], sizes: [1_000_000] } : undefined
  const form = {
    tokenOf: text,
    transactionOf: (cell: Uint8Array) => Buffer.from(`0x${text(cell)}`),
    bidsOf: () => side,
    asksOf: () => side,
  }
  const options = { onMarket: () => undefined, repairs: new Set() } as unknown as ArchiveOptions
  const writer = new RowWriter(lines, options, { price: 4, size: 6 }, form)
  writer.rows.begin(CONDITION)
  writer.write(type, columnsOf(cells), 0, 7, 20, 10)
  return lines.rejects.length > 0
    ? `${lines.rejects[0]!.row} ${lines.rejects[0]!.reason}`
    : JSON.parse(lines.all[0]!.slice(3)).msg
}

test('each type', () => {
  expect(written('price_change', {})).toMatchObject({
    price_changes: [{ asset_id: '17', price: '0.48', size: '1', side: 'BUY' }],
  })
  expect(written('last_trade_price', { hash: 'ab', side: null })).toMatchObject({
    price: '0.48',
    transaction_hash: '0xab',
  })
  expect(written('book', {})).toMatchObject({ bids: [{ price: '0.48', size: '1' }] })
  expect(written('tick_size_change', {})).toMatchObject({ old_tick_size: '0.01', new_tick_size: '0.001' })
})

test.each<[string, string, Cells, boolean?]>([
  ['the row names no token', 'book', { token: null }],
  ['the row has no price, or no size', 'price_change', { price: Number.NaN }],
  ['the row has no price, or no size', 'last_trade_price', { size: -1 }],
  ['the change has no side', 'price_change', { side: 'buy' }],
  ['a side of the book is not a list of levels', 'book', {}, false],
  ['the row has no tick size', 'tick_size_change', { new: Number.NaN }],
  ['the type of the event is not known', 'other', {}],
])('%s: %s', (reason, type, cells, isBook = true) => expect(written(type, cells, isBook)).toBe(`7 ${reason}`))

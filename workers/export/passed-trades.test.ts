// Tests the trades of one book of a block, one after the other, each with its record and id.

import { expect, test } from 'bun:test'
import { CONDITION, NOON, priceChange } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import { PassedTrades } from './passed-trades.ts'

const trade = (ms: number, asset: string, price: string, side: string | null, id?: string) => ({
  ...{ event_type: 'last_trade_price', market: CONDITION, asset_id: asset, price, size: '2.5' },
  ...(side && { side }),
  ...(id && { transaction_hash: id }),
  timestamp: String(NOON + ms),
})
const block = storedBlock(
  trade(0, 'A', '0.4', 'BUY', '0x1'),
  priceChange(1, { price: '0.4', size: '1' }),
  trade(2, 'B', '0.5', 'SELL', '0x2'),
  trade(3, 'A', '0.41', 'SELL', '0x3'),
  trade(4, 'A', '0.42', null),
)

function passed(book: number) {
  const trades = new PassedTrades(block, book)
  const all: unknown[][] = []
  while (trades.nextRecord < Number.POSITIVE_INFINITY) {
    const at = [trades.nextRecord, trades.nextTimeMs - NOON]
    const { price, size, side, id } = trades.next()
    all.push([...at, price, size, side, id()])
  }
  return all
}

test('of each book, in order', () => {
  expect(passed(1)).toEqual([
    [0, 0, 400_000, 2_500_000, 1, '0x1'],
    [3, 3, 410_000, 2_500_000, 2, '0x3'],
    [4, 4, 420_000, 2_500_000, 0, null],
  ])
  expect(passed(2)).toEqual([[2, 2, 500_000, 2_500_000, 2, '0x2']])
})

test('none of a book that the block does not have', () => {
  expect(passed(0)).toEqual([])
  expect(passed(3)).toEqual([])
})

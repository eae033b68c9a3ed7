// Tests prices and sizes of trades, NaN if unreadable, and the counts and volumes of each book.

import { expect, test } from 'bun:test'
import { unpackIndexes } from '../../storage/format/block.ts'
import { CONDITION, NOON, priceChange, TICKER } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import { addTrades, countTrades, tradeAmounts, tradeSizes } from './trade-amounts.ts'

const trade = (asset: string, price: string, size: string) => ({
  ...{ event_type: 'last_trade_price', market: CONDITION, asset_id: asset, price, size, timestamp: String(NOON) },
})
const block = storedBlock(
  trade('A', '0.4', '2.5'),
  priceChange(0, { price: '0.4', size: '1' }),
  trade('B', '0.5', '9007199254.740991'),
  trade('A', '0', '-1'),
  trade('B', '1', '2'),
)
const { recordCount } = block
const columns = {
  recordCount,
  operations: unpackIndexes(block.operations, recordCount),
  books: unpackIndexes(block.bookIndexes, recordCount),
  bookIds: block.books,
}
const none = Number.NaN

test('sizes by row of each shape', () => {
  const sizes = tradeSizes(block)
  const shape = sizes.findIndex((each) => each !== undefined)
  expect([...sizes[shape]!]).toEqual([2_500_000, Number.MAX_SAFE_INTEGER, none, 2_000_000])
  expect(sizes.filter((each) => each === undefined)).toHaveLength(block.shapes.length - 1)
  expect([...tradeAmounts(block.shapes[shape]!)!.prices.subarray(0, 2)]).toEqual([400_000, 500_000])
})

test('counts and exact volumes of each book', () => {
  const sizes = tradeSizes(block)
  expect(countTrades(columns, sizes)).toEqual([0, 1, 2])
  const totals = [0, 1, 2].map(() => ({ tradeCount: 1, tradeVolume: '1' }))
  addTrades(totals, columns, sizes)
  expect(totals).toEqual([
    { tradeCount: 1, tradeVolume: '1' },
    { tradeCount: 2, tradeVolume: '2500001' },
    { tradeCount: 3, tradeVolume: '9007199256740992' },
  ])
  expect(countTrades(columns, [undefined])).toEqual([])
})

test('cents of Kalshi, and a trade without price and size', () => {
  const kalshi = (msg: object) =>
    ({ type: 'trade', msg: { market_ticker: TICKER, ts_ms: NOON, trade_id: 'a', ...msg } }) as never
  const amountsOf = (msg: object) => tradeAmounts(storedBlock(kalshi(msg)).shapes[0]!)!
  const { prices, sizes } = amountsOf({ yes_price: 48, count: 3 })
  expect([prices[0], sizes[0]]).toEqual([480_000, 3_000_000])
  expect(amountsOf({}).sizes[0]).toBeNaN()
})

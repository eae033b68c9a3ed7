// Tests trades as a table: their book, price, size, side, id and record, null if absent.

import { expect, test } from 'bun:test'
import { CONDITION, NOON } from '../../test/model/lines.ts'
import { storedBlock } from '../../test/support/books/made-block.ts'
import { tableText } from '../table/table-text.ts'
import { ALL_TRADES, tradeIds, tradesIn } from './block-trades.ts'
import { tradesColumns, tradesTable } from './trades-table.ts'

const trade = (asset: string, price: string, of: object) => ({
  ...{
    event_type: 'last_trade_price',
    market: CONDITION,
    asset_id: asset,
    price,
    size: '2.5',
    timestamp: String(NOON),
  },
  ...of,
})
const block = storedBlock(
  trade('B', '0.4', { side: 'BUY', transaction_hash: '0x1' }),
  trade('A', '0.415', { side: 'SELL', transaction_hash: '0x2' }),
  trade('A', '0.5', {}),
)

function csvOf(firstRecord: number | null, count = 3) {
  const trades = tradesIn(block, ALL_TRADES)
  const listed = { bookIds: block.books, firstRecord, count, trades, ids: tradeIds(block, trades) }
  const page = { blocks: [listed].values(), count, next: null, bookIds: ['A', 'B'], hasBorrowed: firstRecord === null }
  return Buffer.concat([...tableText(tradesTable({ venue: 'polymarket', market: CONDITION }, page as never), 'csv')])
    .toString()
    .trimEnd()
    .split('\n')
}

test('rows of Polymarket', () =>
  expect(csvOf(100).map((line) => line.replace(`${CONDITION},${NOON},`, ''))).toEqual([
    'market,timestamp,asset_id,price,size,side,trade_id,record',
    'B,0.4,2.5,buy,0x1,100',
    'A,0.415,2.5,sell,0x2,101',
    'A,0.5,2.5,,,102',
  ]))

test('records that the date does not show have no place, and the table has only the listed rows', () => {
  const rows = csvOf(null, 2)
  expect([rows.length, rows[1]!.endsWith('0x1,')]).toEqual([3, true])
})

test('names of its columns', () =>
  expect(tradesColumns({ venue: 'kalshi', market: 'KX' }).slice(0, 3)).toEqual(['market', 'timestamp', 'ticker']))

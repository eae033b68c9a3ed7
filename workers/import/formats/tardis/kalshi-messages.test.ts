// Rows of Tardis become messages of Kalshi's WebSocket: asks are bids for NO, sizes are changes.

import { expect, test } from 'bun:test'
import { KalshiBooks, kalshiTrade } from './kalshi-messages.ts'

const US = Date.parse('2026-08-10T12:00:00Z') * 1_000
const row = (us = US) => ({ market: 'KX-1', venueUs: String(us) }) as never
const level = (isBid: boolean, price: string, amount: string) => ({ isBid, price, amount })
const time = `"ts_ms":${US / 1_000}`

test('a snapshot in ascending prices, without an empty side', () => {
  const books = new KalshiBooks()
  expect(books.snapshot('KX-1', [level(true, '0.48', '5'), level(false, '.53', '1.25'), level(true, '0.1', '7')])).toBe(
    '{"type":"orderbook_snapshot","msg":{"market_ticker":"KX-1","yes_dollars_fp":[["0.1000","7.00"],["0.4800","5.00"]],"no_dollars_fp":[["0.4700","1.25"]]}}',
  )
  expect(books.snapshot('KX-2', [])).toBe('{"type":"orderbook_snapshot","msg":{"market_ticker":"KX-2"}}')
  expect(books.snapshot('KX-1', [level(true, '0.4800001', '5')])).toBeUndefined()
})

test('a change is the difference of sizes, after a snapshot of the market', () => {
  const books = new KalshiBooks()
  expect(books.change(row(), level(true, '0.4', '5'))).toBeUndefined()
  books.snapshot('KX-1', [level(true, '0.48', '5')])
  const delta = (price: string, change: string, side: string, at = time) =>
    `{"type":"orderbook_delta","msg":{"market_ticker":"KX-1","price_dollars":"${price}","delta_fp":"${change}","side":"${side}",${at}}}`
  expect(books.change(row(), level(true, '0.48', '0'))).toBe(delta('0.4800', '-5.00', 'yes'))
  expect(books.change(row(), level(true, '0.48', '2.5'))).toBe(delta('0.4800', '2.50', 'yes'))
  expect(books.change(row(US + 1), level(false, '0.515', '0.000001'))).toBe(
    delta('0.4850', '0.000001', 'no', `"ts":"2026-08-10T12:00:00.000001Z",${time}`),
  )
  expect(books.change(row(), level(true, '0.48', 'x'))).toBeUndefined()
})

test('trades by what the taker did', () => {
  const text = (side: string, id = '') =>
    `{"type":"trade","msg":{${id}"market_ticker":"KX-1","yes_price_dollars":"0.4","count_fp":"2",${side}${time}}}`
  expect(kalshiTrade(row(), 'a', 'buy', '0.4', '2')).toBe(text('"taker_side":"yes",', '"trade_id":"a",'))
  expect(kalshiTrade(row(), undefined, 'sell', '0.4', '2')).toBe(text('"taker_side":"no",'))
  expect(kalshiTrade(row(), undefined, 'unknown', '0.4', '2')).toBe(text(''))
})

// Prints a message on one line.

import { expect, test } from 'bun:test'
import { messageLine } from './message-line.ts'

const line = (msg: unknown) => messageLine(JSON.stringify({ type: 'delta', timestamp: 1, msg }))

test('has names and values, without ids', () => {
  expect(line({ market_ticker: 'KX', price_dollars: '0.4390', delta_fp: '25.00', side: 'yes', ts_ms: 7 })).toBe(
    'price_dollars 0.4390 · delta_fp 25.00 · side yes · ts_ms 7',
  )
})

test('shows the items of a short list, and the length of a long list', () => {
  const changes = [
    { asset_id: '7', price: '0.582', size: '0', side: 'SELL', hash: 'ab' },
    { asset_id: '7', price: '0.4', size: '12', side: 'BUY', hash: 'cd' },
  ]
  expect(line({ market: '0x', price_changes: changes })).toBe(
    'price_changes price 0.582 · size 0 · side SELL | price 0.4 · size 12 · side BUY',
  )
  const levels = Array.from({ length: 44 }, () => ({ price: '0.1', size: '2' }))
  expect(line({ bids: levels, asks: [], best: null })).toBe('bids (44) · asks (0) · best null')
})

test('cuts off a line that is too long to read', () => {
  expect(line({ text: 'x'.repeat(1_000) }).length).toBe(300)
})

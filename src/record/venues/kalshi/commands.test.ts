// Tests the texts of commands.

import { expect, test } from 'bun:test'
import { commandText } from './commands.ts'

test('every command that names markets sets use_yes_price, and no id is 0', () => {
  expect(commandText(1, { cmd: 'subscribe', channels: ['orderbook_delta', 'trade'], tickers: ['A', 'B'] })).toBe(
    '{"id":1,"cmd":"subscribe","params":{"channels":["orderbook_delta","trade"],"market_tickers":["A","B"],"use_yes_price":false}}',
  )
  expect(commandText(2, { cmd: 'subscribe', channels: ['market_lifecycle_v2'], tickers: [] })).toBe(
    '{"id":2,"cmd":"subscribe","params":{"channels":["market_lifecycle_v2"]}}',
  )
  expect(commandText(3, { cmd: 'get_snapshot', sid: 1, tickers: ['A'] })).toBe(
    '{"id":3,"cmd":"update_subscription","params":{"sids":[1],"market_tickers":["A"],"action":"get_snapshot"}}',
  )
})

// Tests the subscriptions of a connection, by name, by number and by market.

import { expect, test } from 'bun:test'
import { KalshiChannels } from './kalshi-channels.ts'

test('numbers are never reused, and a closed channel wants nothing', () => {
  const channels = new KalshiChannels()
  const trade = channels.open('trade', ['A'])
  const book = channels.open('orderbook_delta', ['A', 'B'])
  expect([trade, book]).toMatchObject([
    { name: 'trade', sid: 1, seq: 0 },
    { name: 'orderbook_delta', sid: 2, seq: 0 },
  ])
  channels.close(trade)
  const again = channels.open('trade', ['C'])
  expect([again.sid, channels.withSid(1), channels.withSid(2), channels.named('trade')]).toEqual([
    3,
    undefined,
    book,
    again,
  ])
  expect(channels.all()).toEqual([book, again])
  expect([...channels.tickers()]).toEqual(['A', 'B', 'C'])
})

test('a channel wants its own markets, or all of them', () => {
  const channels = new KalshiChannels()
  const trade = channels.open('trade', ['A'])
  const ticker = channels.open('ticker', null)
  const wanting = (name: string, market: string) => channels.wanting(name, market)?.name
  expect([wanting('trade', 'A'), wanting('trade', 'B'), wanting('ticker', 'B'), wanting('other', 'A')]).toEqual([
    ...['trade', undefined, 'ticker', undefined],
  ])
  trade.tickers!.add('B')
  expect([wanting('trade', 'B'), [...channels.tickers()], ticker.tickers]).toEqual(['trade', ['A', 'B'], null])
})

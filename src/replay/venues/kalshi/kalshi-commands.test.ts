// Tests commands of Kalshi's WebSocket: those that the venue accepts, and those that it refuses.

import { expect, test } from 'bun:test'
import { MARKETS_MAX, readCommand } from './kalshi-commands.ts'

const read = (message: unknown) => readCommand(JSON.stringify(message))
const subscribe = (params: object) => read({ id: 1, cmd: 'subscribe', params })
const update = (params: object) => read({ id: 1, cmd: 'update_subscription', params })

test('subscribe names channels and markets, each once', () => {
  expect(subscribe({ channels: ['trade', 'ticker', 'trade'], market_tickers: ['A', 'B', 'A'] })).toEqual({
    ...{ id: 1, command: { cmd: 'subscribe', channels: ['trade', 'ticker'], tickers: ['A', 'B'], isQuiet: false } },
  })
  expect(subscribe({ channels: ['orderbook_delta'], market_ticker: 'A', skip_ticker_ack: true })).toMatchObject({
    ...{ command: { tickers: ['A'], isQuiet: true } },
  })
  expect(subscribe({ channels: ['trade'] })).toMatchObject({ command: { tickers: null } })
})

test('the other commands', () => {
  expect(read({ id: 2, cmd: 'unsubscribe', params: { sids: [1, 2, 1] } })).toEqual({
    ...{ id: 2, command: { cmd: 'unsubscribe', sids: [1, 2] } },
  })
  const command = { cmd: 'update_subscription', sid: 1, tickers: ['A'], action: 'add_markets', isQuiet: false }
  for (const sid of [{ sid: 1 }, { sids: [1] }]) {
    expect(update({ ...sid, action: 'add_markets', market_ticker: 'A' })).toEqual({ id: 1, command } as never)
  }
  expect(read({ id: 3, cmd: 'list_subscriptions' })).toEqual({ id: 3, command: { cmd: 'list_subscriptions' } })
})

test('an id is a whole number other than 0, and bytes are read as text', () => {
  const ids = [5, 0, 1.5, '5', undefined].map((id) => read({ id, cmd: 'list_subscriptions' }).id)
  expect(ids).toEqual([5, undefined, undefined, undefined, undefined])
  expect(readCommand(new TextEncoder().encode('{"id":5,"cmd":"list_subscriptions"}'))).toMatchObject({ id: 5 })
})

const tickers = (count: number) => Array.from({ length: count }, (_, n) => `K${n}`)
const sids = (count: number) => Array.from({ length: count }, (_, n) => n)

test.each<[unknown, object]>([
  [null, { error: 'commandUnknown' }],
  [
    { id: 1, cmd: 'stop' },
    { id: 1, error: 'commandUnknown' },
  ],
  [{ id: 1, cmd: 'subscribe' }, { error: 'paramsMissing' }],
  [{ cmd: 'subscribe', params: {} }, { error: 'channelsMissing' }],
  [{ cmd: 'subscribe', params: { channels: [] } }, { error: 'channelsMissing' }],
  [{ cmd: 'subscribe', params: { channels: ['trade', 5] } }, { error: 'channelsMissing' }],
  [{ cmd: 'subscribe', params: { channels: ['trades'] } }, { error: 'channelUnknown' }],
  [{ cmd: 'subscribe', params: { channels: ['orderbook_delta'] } }, { error: 'tickerMissing' }],
  [{ cmd: 'subscribe', params: { channels: ['trade'], use_yes_price: true } }, { error: 'paramInvalid' }],
  [
    { cmd: 'subscribe', params: { channels: ['trade'], market_ticker: 'A', market_tickers: ['A'] } },
    { error: 'paramInvalid', msg: 'market_ticker and market_tickers exclude each other' },
  ],
  [
    { cmd: 'subscribe', params: { channels: ['trade'], market_tickers: tickers(MARKETS_MAX + 1) } },
    { error: 'marketsMax' },
  ],
  [
    { cmd: 'subscribe', params: { channels: ['trade'], market_tickers: ['A', 'a b'] } },
    { error: 'paramInvalid', msg: 'market_tickers must be 1 to 128 letters, digits, "-", "." or "_", got "a b"' },
  ],
  [{ cmd: 'unsubscribe', params: { sids: [] } }, { error: 'sidsMissing' }],
  [{ cmd: 'unsubscribe', params: { sids: ['1'] } }, { error: 'sidsMissing' }],
  [{ cmd: 'unsubscribe', params: { sids: sids(MARKETS_MAX + 1) } }, { msg: 'sids must be at most 1000, got 1001' }],
  [{ cmd: 'update_subscription', params: { action: 'add_markets' } }, { error: 'sidsMissing' }],
  [{ cmd: 'update_subscription', params: { sids: [1, 2] } }, { error: 'oneSid' }],
  [{ cmd: 'update_subscription', params: { sid: 1, sids: [1] } }, { error: 'oneSid' }],
  [
    { cmd: 'update_subscription', params: { sid: 1 } },
    { error: 'actionMissing', sid: 1 },
  ],
  [
    { cmd: 'update_subscription', params: { sid: 1, action: 'stop' } },
    { error: 'actionUnsupported', sid: 1 },
  ],
  [
    { cmd: 'update_subscription', params: { sid: 1, action: 'add_markets' } },
    { error: 'tickerMissing', sid: 1 },
  ],
])('%j is refused', (message, failure) => expect(read(message)).toMatchObject(failure))

test('a thousand markets are taken, and a text that is not JSON is not', () => {
  expect(subscribe({ channels: ['trade'], market_tickers: tickers(MARKETS_MAX) })).toHaveProperty('command')
  expect(readCommand('{')).toEqual({ id: undefined, error: 'unprocessable' })
})

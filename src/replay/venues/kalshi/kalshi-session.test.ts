// Tests Kalshi's protocol over a replay: the answer to each command, and the numbers of messages.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { delta, snapshot, T0, ticker, trade } from '../../../../test/support/replay/kalshi-lines.ts'
import { type FakeClient, ReplayRig } from '../../../../test/support/replay/replay-rig.ts'
import { TestStore } from '../../../../test/support/store.ts'
import { KALSHI_PATH } from './protocol.ts'

const [A, B] = ['KXA-26AUG10', 'KXB-26AUG10']
const LINES = [
  snapshot(
    A,
    T0,
    [
      ['0.4000', '10.00'],
      ['0.4200', '5.50'],
    ],
    [['0.5000', '7.00']],
  ),
  snapshot(B, T0 + 5, [], [['0.6000', '1.00']]),
  delta(A, T0 + 1_000, '0.4200', '-5.50'),
  delta(B, T0 + 1_000, '0.3000', '4.00'),
  trade(A, T0 + 2_000, '0.5000', '1.00'),
  ticker(A, T0 + 2_500, 77),
  delta(A, T0 + 3_000, '0.5100', '2.00', 'no'),
  delta(B, T0 + 4_000, '0.3000', '1.00'),
]

let store: TestStore
beforeAll(async () => {
  store = new TestStore()
  await store.loadLines('two.ndjson', LINES)
})
afterAll(() => store.close())

const query = (changes: Record<string, string> = {}) => ({
  ...{ from: String(T0 - 1), to: String(T0 + 10_000), speed: '0' },
  ...changes,
})
const subscribe = (id: number, params: object) => ({ id, cmd: 'subscribe', params })
const update = (id: number, params: object) => ({ id, cmd: 'update_subscription', params })

async function connected(changes: Record<string, string> = {}): Promise<{ rig: ReplayRig; client: FakeClient }> {
  const rig = new ReplayRig(store.store)
  return { rig, client: await rig.connect(KALSHI_PATH, query(changes)) }
}

/** Returns the answers to commands, each sent after the answer to the one before. Plays no records. */
async function answers(...commands: (object | string)[]): Promise<unknown[]> {
  const { rig, client } = await connected()
  for (const command of commands) {
    client.sendCommand(command)
    await rig.settle()
  }
  return client.messages
}

/** Returns type, sid and seq of each message. */
const numbers = (client: FakeClient) => client.messages.map(({ type, sid, seq }) => [type, sid, seq])

test('each channel has a sid, in the order of subscribing, and a seq that counts without holes', async () => {
  const { rig, client } = await connected()
  client.sendCommand(subscribe(1, { channels: ['trade', 'orderbook_delta', 'ticker'], market_tickers: [A, B] }))
  await rig.pass(10_000)
  expect(numbers(client)).toEqual([
    ['subscribed', undefined, undefined],
    ['subscribed', undefined, undefined],
    ['subscribed', undefined, undefined],
    ['orderbook_snapshot', 2, 1],
    ['orderbook_snapshot', 2, 2],
    ['orderbook_delta', 2, 3],
    ['orderbook_delta', 2, 4],
    ['trade', 1, 1],
    ['ticker', 3, 1],
    ['orderbook_delta', 2, 5],
    ['orderbook_delta', 2, 6],
  ])
  expect(client.messages.slice(3).map(({ msg }) => msg)).toEqual(
    LINES.map((line) => (JSON.parse(line) as { event: { msg: unknown } }).event.msg),
  )
  expect(client.closed).toEqual({ code: 1000, reason: 'the replay has ended' })
})

test('a subscriber gets the book at that moment, without an empty side', async () => {
  const { rig, client } = await connected({ from: String(T0 + 1_500) })
  client.sendCommand(subscribe(1, { channels: ['orderbook_delta'], market_tickers: [A, B] }))
  await rig.settle()
  expect(client.messages.slice(1)).toEqual([
    {
      ...{ type: 'orderbook_snapshot', sid: 1, seq: 1 },
      msg: {
        ...{ market_ticker: A, market_id: 'm-1' },
        ...{ yes_dollars_fp: [['0.4000', '10.00']], no_dollars_fp: [['0.5000', '7.00']] },
      },
    },
    {
      ...{ type: 'orderbook_snapshot', sid: 1, seq: 2 },
      msg: {
        ...{ market_ticker: B, market_id: 'm-1' },
        ...{ yes_dollars_fp: [['0.3000', '4.00']], no_dollars_fp: [['0.6000', '1.00']] },
      },
    },
  ])
  await rig.pass(1_000)
  expect(client.messages.slice(3).map(({ seq }) => seq)).toEqual([3, 4])
})

test('a second subscribe to a channel merges into its sid, and is answered with ok', async () => {
  const first = subscribe(1, { channels: ['orderbook_delta'], market_ticker: A })
  const second = subscribe(2, { channels: ['orderbook_delta', 'trade'], market_tickers: [B] })
  expect(await answers(first, second)).toEqual([
    { id: 1, type: 'subscribed', msg: { channel: 'orderbook_delta', sid: 1 } },
    { id: 2, type: 'subscribed', msg: { channel: 'trade', sid: 2 } },
    { id: 2, sid: 1, seq: 1, type: 'ok', msg: { market_tickers: [A, B] } },
  ])
})

test('list_subscriptions and unsubscribe', async () => {
  const replies = await answers(
    subscribe(1, { channels: ['orderbook_delta', 'trade'], market_tickers: [A] }),
    { id: 2, cmd: 'list_subscriptions' },
    { id: 3, cmd: 'unsubscribe', params: { sids: [1, 8] } },
    { id: 4, cmd: 'list_subscriptions' },
  )
  expect(replies.slice(2)).toEqual([
    {
      id: 2,
      type: 'ok',
      msg: [
        { channel: 'orderbook_delta', sid: 1 },
        { channel: 'trade', sid: 2 },
      ],
    },
    { id: 3, sid: 1, seq: 1, type: 'unsubscribed' },
    { id: 3, type: 'error', msg: { code: 7, msg: 'Unknown subscription ID' } },
    { id: 4, type: 'ok', msg: [{ channel: 'trade', sid: 2 }] },
  ])
})

const manyTickers = () => Array.from({ length: 1_001 }, (_, i) => `KXT-${i}`)

describe('commands that are refused', () => {
  const open = subscribe(1, { channels: ['orderbook_delta'], market_tickers: [A] })
  test.each([
    ['no JSON', 'subscribe', 1],
    ['no command', { id: 2 }, 5],
    ['an unknown command', { id: 2, cmd: 'sing' }, 5],
    ['no params', { id: 2, cmd: 'subscribe' }, 2],
    ['no channels', subscribe(2, { market_tickers: [A] }), 3],
    ['an unknown channel', subscribe(2, { channels: ['orderbook'], market_tickers: [A] }), 8],
    ['a book of all markets', subscribe(2, { channels: ['orderbook_delta'] }), 14],
    ['one ticker and many', subscribe(2, { channels: ['trade'], market_ticker: A, market_tickers: [B] }), 11],
    ['a ticker that is too long', subscribe(2, { channels: ['trade'], market_ticker: 'K'.repeat(129) }), 11],
    ['invalid tickers', update(2, { sid: 1, action: 'add_markets', market_tickers: [B, '../x'] }), 11],
    ['prices of YES on both sides', subscribe(2, { channels: ['trade'], market_ticker: A, use_yes_price: true }), 11],
    ['no sids', { id: 2, cmd: 'unsubscribe', params: {} }, 4],
    ['no sid to update', update(2, { action: 'add_markets', market_tickers: [B] }), 4],
    ['two sids to update', update(2, { sids: [1, 2], action: 'add_markets', market_tickers: [B] }), 12],
    ['an unknown sid', update(2, { sid: 5, action: 'add_markets', market_tickers: [B] }), 7],
    ['no action', update(2, { sid: 1, market_tickers: [B] }), 15],
    ['an unknown action', update(2, { sid: 1, action: 'swap_markets', market_tickers: [B] }), 13],
    ['no ticker to add', update(2, { sid: 1, action: 'add_markets' }), 14],
    ['too many markets', update(2, { sid: 1, action: 'add_markets', market_tickers: manyTickers() }), 26],
    ['an unknown book', update(2, { sid: 1, action: 'get_snapshot', market_tickers: [A] }), 18],
  ])('%s', async (_, command, code) => {
    const [, ...replies] = (await answers(open, command)) as { id?: number; msg: { code: number; msg: string } }[]
    expect(replies).toHaveLength(1)
    expect(replies[0]).toMatchObject({ type: 'error', msg: { code, msg: expect.stringMatching(/\w/) } })
    expect(replies[0]!.id).toBe(typeof command === 'string' ? undefined : 2)
  })
})

test('errors about a subscription count in its seq', async () => {
  const replies = await answers(
    subscribe(1, { channels: ['trade'], market_tickers: [A] }),
    update(2, { sid: 1, action: 'swap_markets' }),
    update(3, { sid: 1, action: 'add_markets', market_tickers: [B] }),
  )
  expect(replies.slice(1)).toEqual([
    { id: 2, sid: 1, seq: 1, type: 'error', msg: { code: 13, msg: 'Unsupported action' } },
    { id: 3, sid: 1, seq: 2, type: 'ok', msg: { market_tickers: [A, B] } },
  ])
})

test('a market added during the replay begins with its book as at the present moment', async () => {
  const { rig, client } = await connected({ speed: '1' })
  client.sendCommand(subscribe(1, { channels: ['orderbook_delta'], market_tickers: [A] }))
  await rig.pass(250 + 1_500)
  client.sendCommand(update(2, { sid: 1, action: 'add_markets', market_tickers: [B] }))
  await rig.settle()
  expect(client.messages.slice(-2)).toEqual([
    { id: 2, sid: 1, seq: 3, type: 'ok', msg: { market_tickers: [A, B] } },
    {
      ...{ type: 'orderbook_snapshot', sid: 1, seq: 4 },
      msg: {
        ...{ market_ticker: B, market_id: 'm-1' },
        ...{ yes_dollars_fp: [['0.3000', '4.00']], no_dollars_fp: [['0.6000', '1.00']] },
      },
    },
  ])
  client.sendCommand(update(3, { sid: 1, action: 'delete_markets', market_tickers: [A] }))
  await rig.pass(10_000)
  expect(numbers(client).slice(5)).toEqual([
    ['ok', 1, 5],
    ['orderbook_delta', 1, 6],
  ])
  expect(client.messages.at(-1)).toMatchObject({ msg: { market_ticker: B, ts_ms: T0 + 4_000 } })
})

test('get_snapshot returns the book at the position of the client, with the id of the command', async () => {
  const { rig, client } = await connected({ speed: '1' })
  client.sendCommand(subscribe(1, { channels: ['orderbook_delta'], market_tickers: [A] }))
  await rig.pass(250 + 1_500)
  client.sendCommand(update(7, { sids: [1], action: 'get_snapshot', market_tickers: [A] }))
  await rig.settle()
  expect(client.messages.at(-1)).toEqual({
    ...{ id: 7, type: 'orderbook_snapshot', sid: 1, seq: 3 },
    msg: {
      ...{ market_ticker: A, market_id: 'm-1' },
      ...{ yes_dollars_fp: [['0.4000', '10.00']], no_dollars_fp: [['0.5000', '7.00']] },
    },
  })
})

test('a channel without tickers is for the markets of the others', async () => {
  const { rig, client } = await connected()
  client.sendCommand(subscribe(1, { channels: ['trade'] }))
  client.sendCommand(subscribe(2, { channels: ['orderbook_delta'], market_tickers: [A] }))
  await rig.pass(1_000)
  expect(client.messages.filter(({ type }) => type === 'trade')).toHaveLength(1)
})

test('a Ping frame every 10 s', async () => {
  const { rig, client } = await connected({ speed: '1', to: String(T0 + 60_000) })
  await rig.pass(35_000)
  expect(client.pings).toEqual(['heartbeat', 'heartbeat', 'heartbeat'])
  expect(rig.timers.waiting).toBe(1)
})

test('stamped frames begin with the times of their record', async () => {
  const rig = new ReplayRig(store.store)
  const client = await rig.connect(KALSHI_PATH, query(), { protocols: ['backbook-stamped'] })
  client.sendCommand(subscribe(1, { channels: ['orderbook_delta'], market_tickers: [A] }))
  await rig.pass(1_000)
  expect(client.frames.map((frame) => frame.split('\n')[0])).toEqual([
    `${T0 - 1} ${T0 - 1}`,
    `${T0} ${T0}`,
    `${T0 + 1_000} ${T0 + 1_003}`,
    `${T0 + 3_000} ${T0 + 3_003}`,
  ])
})

// Tests Polymarket's protocol over a replay: tokens, books, heartbeats, and later changes of subscriptions.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  book,
  changes,
  conditionOf,
  gap,
  resolved,
  T0,
  tradePrice,
} from '../../../../test/support/replay/polymarket-lines.ts'
import { type FakeClient, ReplayRig } from '../../../../test/support/replay/replay-rig.ts'
import { TestStore } from '../../../../test/support/store.ts'
import { POLYMARKET_PATH } from './protocol.ts'

const [M, N] = [conditionOf('a'), conditionOf('b')]
const [YES, NO, OTHER] = ['101', '102', '201']
const LINES = [
  book(
    M,
    YES,
    T0,
    [
      ['0.4', '10'],
      ['0.48', '5.5'],
    ],
    [
      ['0.6', '7'],
      ['0.51', '2'],
    ],
  ),
  book(M, NO, T0, [['0.49', '2']], [['0.52', '5.5']]),
  book(N, OTHER, T0 + 1, [], [['0.9', '1']]),
  changes(M, T0 + 1_000, [
    { asset_id: YES, price: '0.48', size: '0', side: 'BUY' },
    { asset_id: NO, price: '0.52', size: '0', side: 'SELL' },
  ]),
  tradePrice(M, YES, T0 + 2_000, '0.51', '2'),
  changes(N, T0 + 2_500, [{ asset_id: OTHER, price: '0.1', size: '3', side: 'BUY' }]),
  resolved(M, T0 + 3_000),
]
const messages = LINES.map((line) => (JSON.parse(line) as { event: Record<string, unknown> }).event)

let store: TestStore
beforeAll(async () => {
  store = new TestStore()
  await store.loadLines('two.ndjson', LINES)
})
afterAll(() => store.close())

const query = (more: Record<string, string> = {}) => ({
  ...{ from: String(T0 - 1), to: String(T0 + 10_000), speed: '0' },
  ...more,
})

async function connected(more: Record<string, string> = {}, protocols: string[] = []) {
  const rig = new ReplayRig(store.store)
  return { rig, client: await rig.connect(POLYMARKET_PATH, query(more), { protocols }) }
}

const kinds = (client: FakeClient) => client.messages.map(({ event_type: type, asset_id: asset }) => [type, asset])

test('one token: its records and those of the whole condition', async () => {
  const { rig, client } = await connected()
  client.sendCommand({ type: 'market', assets_ids: [YES], custom_feature_enabled: true })
  await rig.pass(1_000)
  const [{ price_changes: entries, ...change }] = [messages[3]!] as [{ price_changes: unknown[] }]
  expect(client.messages).toEqual([
    messages[0]!,
    { ...change, price_changes: [entries[0]] },
    messages[4]!,
    messages[6]!,
  ])
  expect(client.closed?.code).toBe(1000)
})

test('a token that is not stored has no messages, and the replay ends', async () => {
  const { rig, client } = await connected()
  client.sendCommand({ type: 'market', assets_ids: ['999'] })
  await rig.pass(1_000)
  expect([client.messages, client.closed?.code]).toEqual([[], 1000])
})

test('a subscriber gets one array of the books at that moment, followed by a newline', async () => {
  const { rig, client } = await connected({ from: String(T0 + 2_100) })
  client.sendCommand({ type: 'market', assets_ids: [YES, '999', OTHER] })
  await rig.settle()
  expect(client.frames).toHaveLength(1)
  expect(client.frames[0]).toEndWith(']\n')
  expect(JSON.parse(client.frames[0]!)).toEqual([
    {
      ...{ market: M, asset_id: YES, timestamp: String(T0 + 1_000), hash: '' },
      bids: [{ price: '0.4', size: '10' }],
      asks: [
        { price: '0.6', size: '7' },
        { price: '0.51', size: '2' },
      ],
      ...{ tick_size: '0.01', event_type: 'book', last_trade_price: '0.510' },
    },
    {
      ...{ market: N, asset_id: OTHER, timestamp: String(T0 + 1), hash: '' },
      ...{ bids: [], asks: [{ price: '0.9', size: '1' }] },
      ...{ tick_size: '0.01', event_type: 'book', last_trade_price: '' },
    },
  ])
})

test('no books if the client wants none', async () => {
  const { rig, client } = await connected({ from: String(T0 + 2_100) })
  client.sendCommand({ type: 'market', assets_ids: [YES, OTHER], initial_dump: false })
  await rig.pass(1_000)
  expect(kinds(client)).toEqual([
    ['price_change', undefined],
    ['market_resolved', undefined],
  ])
})

test('tokens subscribed to later begin with their book at that moment; others end', async () => {
  const { rig, client } = await connected({ speed: '1' })
  client.sendCommand({ type: 'market', assets_ids: [YES] })
  await rig.pass(250 + 1_500)
  client.sendCommand({ operation: 'subscribe', assets_ids: [NO, OTHER] })
  client.sendCommand({ operation: 'unsubscribe', assets_ids: [YES] })
  await rig.settle()
  const books = JSON.parse(client.frames.at(-1)!) as { asset_id: string; asks: unknown[] }[]
  expect(books.map(({ asset_id: asset, asks }) => [asset, asks.length])).toEqual([
    [NO, 0],
    [OTHER, 1],
  ])
  const before = client.frames.length
  await rig.pass(60_000)
  expect(client.messages.slice(before)).toEqual([messages[5]!, messages[6]!])
  expect(client.closed?.code).toBe(1000)
})

test('PING is answered with PONG, and text that is not a command as the venue answers it', async () => {
  const { rig, client } = await connected()
  for (const text of ['PING', 'hello', '{"assets_ids":"101"}', '{"assets_ids":[7],"type":"market"}'])
    client.sendCommand(text)
  await rig.settle()
  expect(client.frames).toEqual(['PONG', 'INVALID OPERATION', 'INVALID OPERATION', 'INVALID OPERATION'])
})

test('stamped frames begin with the times of their record, the books with those of the moment', async () => {
  const { rig, client } = await connected({ from: String(T0 + 1_500) }, ['backbook-stamped'])
  client.sendCommand({ type: 'market', assets_ids: [YES] })
  await rig.pass(1_000)
  expect(client.frames.map((frame) => frame.slice(0, frame.indexOf('\n')))).toEqual([
    `${T0 + 1_500} ${T0 + 1_500}`,
    `${T0 + 2_000} ${T0 + 2_020}`,
    `${T0 + 3_000} ${T0 + 3_020}`,
  ])
})

test('a gap of a token that is subscribed to, or of the whole market, disconnects', async () => {
  const made = new TestStore()
  const start = [book(M, YES, T0, [['0.4', '10']], []), book(M, NO, T0, [], [['0.6', '1']])]
  const end = [book(M, YES, T0 + 5_000, [['0.3', '1']], []), book(M, NO, T0 + 5_000, [], [['0.7', '1']])]
  await made.loadLines('gap.ndjson', [
    ...start,
    gap(M, NO, T0 + 1_000, T0 + 5_000),
    ...end,
    gap(M, null, T0 + 6_000, T0 + 7_000),
  ])
  const rig = new ReplayRig(made.store)
  const client = await rig.connect(POLYMARKET_PATH, query())
  client.sendCommand({ type: 'market', assets_ids: [YES] })
  await rig.pass(1_000)
  expect(kinds(client)).toEqual([
    ['book', YES],
    ['book', YES],
  ])
  expect(client.closed?.code).toBe(1012)
  const both = await rig.connect(POLYMARKET_PATH, query({ speed: '100' }))
  both.sendCommand({ type: 'market', assets_ids: [YES, NO] })
  await rig.pass(1_000)
  expect(both.messages.map(({ timestamp }) => timestamp)).toEqual([String(T0), String(T0)])
  expect(both.closed?.code).toBe(1012)
  await made.close()
})

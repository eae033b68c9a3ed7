// Tests clients that send many commands, or read nothing: they get no answers while 1 MB waits for them, and are closed
// beyond the limits.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { snapshot, T0 } from '../../test/support/replay/kalshi-lines.ts'
import { ReplayRig } from '../../test/support/replay/replay-rig.ts'
import { TestStore } from '../../test/support/store.ts'
import { RECORDS_PATH } from '../replay-endpoints.ts'
import { KALSHI_PATH } from './venues/kalshi/protocol.ts'
import { POLYMARKET_PATH } from './venues/polymarket/protocol.ts'

const [TICKER, MB] = ['KXA-26AUG10', 2 ** 20]

let store: TestStore
beforeAll(async () => {
  store = new TestStore()
  await store.loadLines('a.ndjson', [snapshot(TICKER, T0, [['0.4000', '1.00']], [])])
})
afterAll(() => store.close())

async function connected(path: string) {
  const rig = new ReplayRig(store.store)
  const query = {
    from: String(T0),
    to: String(T0 + 3_600_000),
    ...(path === RECORDS_PATH ? { markets: `kalshi:${TICKER}` } : {}),
  }
  return { rig, client: await rig.connect(path, query) }
}

const list = (id: number) => ({ id, cmd: 'list_subscriptions' })
const subscribe = (ids: string[]) => ({ type: 'market', assets_ids: ids })
const names = (count: number) => Array.from({ length: count }, (_, i) => `${i}`)

describe('while more than 1 MB waits for the client', () => {
  test('a command waits, and is answered when the client has taken it', async () => {
    const { rig, client } = await connected(KALSHI_PATH)
    client.untaken = MB + 1
    client.sendCommand(list(1))
    client.sendCommand(list(2))
    await rig.settle()
    expect(client.messages).toEqual([])
    client.untaken = MB
    client.take(Number.POSITIVE_INFINITY)
    await rig.settle()
    expect(client.messages.map(({ id }) => id)).toEqual([1, 2])
  })

  test('so do PING and text that is not a command', async () => {
    const { rig, client } = await connected(POLYMARKET_PATH)
    client.untaken = MB + 1
    client.sendCommand('PING')
    client.sendCommand('x')
    await rig.settle()
    expect(client.frames).toEqual([])
    client.untaken = 0
    client.take(Number.POSITIVE_INFINITY)
    await rig.settle()
    expect(client.frames).toEqual(['PONG', 'INVALID OPERATION'])
  })

  test('a client that sends more than can wait is closed', async () => {
    const { client } = await connected(KALSHI_PATH)
    client.untaken = MB + 1
    for (let id = 1; id <= 1_000; id++) client.sendCommand(list(id))
    expect(client.closed).toBeUndefined()
    client.sendCommand(list(1_001))
    expect(client.closed?.code).toBe(1008)
    expect(client.frames).toEqual([])
  })

  test('and so is one whose commands are long', async () => {
    const { client } = await connected(POLYMARKET_PATH)
    client.untaken = MB + 1
    for (let i = 0; i < 3; i++) client.sendCommand(subscribe(names(100_000)))
    expect(client.closed?.code).toBe(1008)
  })
})

describe('a client that sends many messages', () => {
  test('Kalshi: it gets an error, then it is closed', async () => {
    const { client } = await connected(KALSHI_PATH)
    for (let id = 1; id <= 1_001; id++) client.sendCommand(list(id))
    expect(client.messages).toMatchObject([{ id: 1_001, type: 'error', msg: { code: 27 } }])
    for (let id = 0; id < 10_000 && client.closed === undefined; id++) client.sendCommand(list(id))
    expect(client.closed?.code).toBe(1008)
  })

  test.each([POLYMARKET_PATH, RECORDS_PATH])('%s: it is closed', async (path) => {
    const { client } = await connected(path)
    for (let i = 0; i < 1_000; i++) client.sendCommand('PING')
    expect(client.closed).toBeUndefined()
    client.sendCommand('PING')
    expect(client.closed?.code).toBe(1008)
    expect(client.frames).toHaveLength(1_000)
  })

  test('a hundred messages a second are answered for any time', async () => {
    const { rig, client } = await connected(POLYMARKET_PATH)
    for (let i = 0; i < 3_000; i++) {
      client.sendCommand('PING')
      rig.timers.step(rig.timers.nowMs() + 10)
    }
    expect(client.closed).toBeUndefined()
    expect(client.frames).toHaveLength(3_000)
  })
})

describe('names are counted before anything is looked up', () => {
  test('tokens of Polymarket', async () => {
    const { rig, client } = await connected(POLYMARKET_PATH)
    client.sendCommand(subscribe(names(5_001)))
    await rig.settle()
    expect(client.closed).toEqual({ code: 1008, reason: 'a connection may subscribe to 5000 tokens' })
    expect(rig.catalogueCalls).toEqual([])
  })

  test.each(['get_snapshot', 'add_markets', 'delete_markets'])('%s of tickers of Kalshi', async (action) => {
    const { rig, client } = await connected(KALSHI_PATH)
    client.sendCommand({ id: 1, cmd: 'subscribe', params: { channels: ['trade'], market_ticker: TICKER } })
    client.sendCommand({ id: 2, cmd: 'update_subscription', params: { sid: 1, action, market_tickers: names(1_001) } })
    await rig.settle()
    expect(client.messages.slice(1)).toMatchObject([{ id: 2, type: 'error', sid: 1, msg: { code: 26 } }])
  })

  test('sids of Kalshi', async () => {
    const { rig, client } = await connected(KALSHI_PATH)
    client.sendCommand({ id: 1, cmd: 'unsubscribe', params: { sids: names(1_001).map(Number) } })
    await rig.settle()
    const msg = { code: 11, msg: 'sids must be at most 1000, got 1001' }
    expect(client.messages).toEqual([{ id: 1, type: 'error', msg }])
  })
})

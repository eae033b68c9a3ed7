// Tests when messages are sent: at every speed, to a client that stops reading, and at the end. The test sets the
// clock.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { delta, snapshot, T0 } from '../../test/support/replay/kalshi-lines.ts'
import { ReplayRig } from '../../test/support/replay/replay-rig.ts'
import { TestStore } from '../../test/support/store.ts'
import { RECORDS_PATH } from '../replay-endpoints.ts'
import { KALSHI_PATH } from './venues/kalshi/protocol.ts'

const [A, LONG] = ['KXA-26AUG10', 'KXLONG-26AUG10']
const SETTLE_MS = 250
const TIMES = [0, 40, 40, 1_000, 61_500, 61_500, 300_000]
const LONG_COUNT = 40_000

let store: TestStore
beforeAll(async () => {
  store = new TestStore()
  const [first, ...rest] = TIMES
  await store.loadLines('a.ndjson', [
    snapshot(A, T0 + first!, [['0.4000', '10.00']], []),
    ...rest.map((ms, i) => delta(A, T0 + ms, '0.4000', `${i + 1}.00`)),
  ])
  await store.loadLines('long.ndjson', [
    snapshot(LONG, T0, [['0.4000', '10.00']], []),
    ...Array.from({ length: LONG_COUNT - 1 }, (_, i) => delta(LONG, T0 + 1 + i, '0.4000', '1.00')),
  ])
})
afterAll(() => store.close())

const query = (speed: string, toMs = T0 + 400_000) => ({ from: String(T0 - 1), to: String(toMs), speed })
const subscribe = (ticker: string) => ({
  ...{ id: 1, cmd: 'subscribe' },
  params: { channels: ['orderbook_delta'], market_tickers: [ticker] },
})

describe('each message leaves when it is due', () => {
  test.each(['1', '0.5', '60', '2.5', '10000'])('at speed %s', async (speed) => {
    const rig = new ReplayRig(store.store)
    const client = await rig.connect(KALSHI_PATH, query(speed))
    client.sendCommand(subscribe(A))
    await rig.pass(401_000 / Number(speed) + SETTLE_MS)
    const due = TIMES.map((ms) => SETTLE_MS + (ms + 1) / Number(speed))
    const sent = client.sentMs.slice(1)
    expect(sent).toHaveLength(due.length)
    for (const [i, ms] of due.entries()) {
      expect(sent[i]!).toBeGreaterThanOrEqual(ms - 1e-6)
      expect(sent[i]!).toBeLessThan(ms + 1e-3)
    }
    expect(client.closed).toEqual({ code: 1000, reason: 'the replay has ended' })
  })

  test('at speed 0 all at once, after others had time to subscribe', async () => {
    const rig = new ReplayRig(store.store)
    const client = await rig.connect(KALSHI_PATH, query('0'))
    client.sendCommand(subscribe(A))
    await rig.pass(SETTLE_MS - 1)
    expect(client.frames).toHaveLength(1)
    await rig.pass(1)
    expect(client.frames).toHaveLength(1 + TIMES.length)
    expect(client.closed?.code).toBe(1000)
  })

  test('a connection has one timer, and none when it has ended', async () => {
    const rig = new ReplayRig(store.store)
    const client = await rig.connect(KALSHI_PATH, query('1'))
    for (let ms = 0; ms < 70_000; ms += 1_000) {
      if (ms === 3_000) client.sendCommand(subscribe(A))
      await rig.pass(1_000)
      expect(rig.timers.waiting).toBe(1)
    }
    client.close(1000, 'left')
    expect(rig.timers.waiting).toBe(0)
  })
})

describe('a client that takes less than it is sent', () => {
  test('is sent nothing more until it takes it, and then all, in order', async () => {
    const rig = new ReplayRig(store.store)
    const client = await rig.connect(KALSHI_PATH, query('0'))
    client.room = 100
    client.sendCommand(subscribe(LONG))
    await rig.pass(SETTLE_MS)
    const [held, pages] = [client.frames.length, rig.pages]
    // These frames were built before the client stopped reading.
    expect(held).toBeGreaterThanOrEqual(100)
    expect(held).toBeLessThan(100 + 64)
    await rig.pass(9_000)
    expect([client.frames.length, rig.pages]).toEqual([held, pages])
    expect(pages).toBeLessThanOrEqual(2)
    while (client.closed === undefined) {
      client.take(1_000)
      await rig.settle()
    }
    const seqs = client.messages.slice(1).map(({ seq }) => seq)
    expect(seqs).toEqual(Array.from({ length: LONG_COUNT }, (_, i) => i + 1))
    expect(client.closed).toEqual({ code: 1000, reason: 'the replay has ended' })
  })

  test('at a speed, gets messages that became due meanwhile as soon as it reads', async () => {
    const rig = new ReplayRig(store.store)
    const client = await rig.connect(KALSHI_PATH, query('1'))
    client.sendCommand(subscribe(A))
    client.room = 2
    await rig.pass(62_000)
    expect(client.frames).toHaveLength(2)
    client.take(1_000)
    await rig.settle()
    expect(client.frames).toHaveLength(1 + 6)
  })
})

test('markets are read a page ahead, and no further', async () => {
  const rig = new ReplayRig(store.store)
  const client = await rig.connect(KALSHI_PATH, query('1', T0 + LONG_COUNT))
  client.sendCommand(subscribe(LONG))
  await rig.pass(SETTLE_MS + 1_000)
  expect(rig.pages).toBe(1)
  await rig.pass(10_000)
  expect(rig.pages).toBe(2)
})

test('a page that a busy server refuses is requested again while the client is connected', async () => {
  const rig = new ReplayRig(store.store)
  rig.refusals = 30
  const client = await rig.connect(KALSHI_PATH, query('0'))
  client.sendCommand(subscribe(A))
  await rig.pass(2_900)
  expect([client.frames.length, rig.pages]).toEqual([1, 30])
  await rig.pass(100)
  expect(client.frames).toHaveLength(1 + TIMES.length)

  rig.refusals = 1_000
  const leaving = await rig.connect(KALSHI_PATH, query('0'))
  leaving.sendCommand(subscribe(A))
  await rig.pass(1_000)
  leaving.close(1001, 'left')
  await rig.pass(1_000)
  const { pages } = rig
  await rig.pass(10_000)
  expect([rig.pages, rig.timers.waiting, leaving.failures]).toEqual([pages, 0, []])
})

test('a replay without a subscription waits; after its end it closes', async () => {
  const rig = new ReplayRig(store.store)
  const client = await rig.connect(KALSHI_PATH, query('0'))
  await rig.pass(120_000)
  expect(client.closed).toBeUndefined()
  client.sendCommand(subscribe('KXNOTHING-26AUG10'))
  await rig.pass(SETTLE_MS)
  expect(client.frames).toHaveLength(1)
  expect(client.closed?.code).toBe(1000)
})

test('server-sent events continue after the last event', async () => {
  const rig = new ReplayRig(store.store)
  const parameters = { ...query('0'), markets: `kalshi:${A}` }
  const whole = await rig.connect(RECORDS_PATH, parameters)
  await rig.pass(0)
  expect(whole.ids).toEqual(['0.1', '40.1', '40.2', '1000.1', '61500.1', '61500.2', '300000.1'].map(idAtT0))
  for (const [i, id] of whole.ids.entries()) {
    const resumed = await rig.connect(RECORDS_PATH, parameters, { lastEventId: id! })
    await rig.pass(0)
    expect(resumed.frames).toEqual(whole.frames.slice(i + 1))
    expect(resumed.ids).toEqual(whole.ids.slice(i + 1))
  }
})

function idAtT0(id: string): string {
  const [ms, count] = id.split('.')
  return `${T0 + Number(ms)}.${count}`
}

test('a replay ends where data before its place has changed', async () => {
  const made = new TestStore()
  const lines = [
    snapshot(LONG, T0, [['0.4000', '10.00']], []),
    ...Array.from({ length: 20_000 }, (_, i) => delta(LONG, T0 + 1 + i, '0.4000', '1.00')),
  ]
  await made.loadLines(
    'later.ndjson',
    lines.filter((_, i) => i !== 500),
  )
  const rig = new ReplayRig(made.store)
  const client = await rig.connect(KALSHI_PATH, query('0'))
  client.sendCommand(subscribe(LONG))
  client.room = 100
  await rig.pass(SETTLE_MS)
  await made.loadLines('all.ndjson', lines)
  while (client.closed === undefined) {
    client.take(1_000)
    await rig.settle()
  }
  const reason = 'the stored data before this moment has changed: start the replay again'
  expect([client.closed, client.failures]).toEqual([{ code: 1011, reason }, []])
  await made.close()
})

// Tests gaps in a replay of Kalshi: each one disconnects the client, which can then continue after it.

import { expect, test } from 'bun:test'
import { delta, gap, snapshot, T0 } from '../../test/support/replay/kalshi-lines.ts'
import { type FakeClient, ReplayRig } from '../../test/support/replay/replay-rig.ts'
import { TestStore } from '../../test/support/store.ts'
import { KALSHI_PATH } from './venues/kalshi/protocol.ts'

const query = (changes: Record<string, string> = {}) => ({
  ...{ from: String(T0 - 1), to: String(T0 + 10_000), speed: '0' },
  ...changes,
})
const subscribe = (id: number, params: object) => ({ id, cmd: 'subscribe', params })

/** Returns type, sid and seq of each message. */
const numbers = (client: FakeClient) => client.messages.map(({ type, sid, seq }) => [type, sid, seq])

const [C, D] = ['KXC-26AUG10', 'KXD-26AUG10']
const levels: [string, string][] = [['0.4000', '10.00']]
const gapped = [
  snapshot(C, T0, levels, []),
  snapshot(D, T0, levels, []),
  delta(C, T0 + 1_000, '0.4000', '1.00'),
  gap(C, T0 + 1_500, T0 + 5_000),
  gap(D, T0 + 1_500, T0 + 5_000),
  snapshot(C, T0 + 5_000, [['0.2000', '3.00']], []),
  snapshot(D, T0 + 5_000, [['0.1000', '3.00']], []),
  delta(D, T0 + 6_000, '0.1000', '1.00'),
]
const both = subscribe(1, { channels: ['orderbook_delta'], market_tickers: [C, D] })

async function gappedStore(): Promise<TestStore> {
  const made = new TestStore()
  await made.loadLines('gap.ndjson', gapped)
  return made
}

test('a gap disconnects once, and the same client continues after it', async () => {
  const made = await gappedStore()
  const rig = new ReplayRig(made.store)
  const before = await rig.connect(KALSHI_PATH, query())
  before.sendCommand(both)
  await rig.pass(1_000)
  expect(before.closed?.code).toBe(1012)
  expect(numbers(before).slice(1)).toEqual([
    ['orderbook_snapshot', 1, 1],
    ['orderbook_snapshot', 1, 2],
    ['orderbook_delta', 1, 3],
  ])

  const behind = await rig.connect(KALSHI_PATH, query())
  behind.sendCommand(both)
  await rig.pass(1_000)
  expect(numbers(behind).slice(1)).toEqual([
    ['orderbook_snapshot', 1, 1],
    ['orderbook_snapshot', 1, 2],
    ['orderbook_delta', 1, 3],
  ])
  expect(behind.messages[1]).toMatchObject({ msg: { yes_dollars_fp: [['0.2000', '3.00']] } })
  expect(behind.closed?.code).toBe(1000)

  const anew = await rig.connect(KALSHI_PATH, query())
  anew.sendCommand(both)
  await rig.pass(1_000)
  expect(anew.closed?.code).toBe(1012)
  await made.close()
})

test('a client with another key, or after a minute, does not continue at the earlier position', async () => {
  const made = await gappedStore()
  const rig = new ReplayRig(made.store)
  const other = { key: { keyId: 'key_2', secretSha256: 'aa', userId: 'user', plan: 'pro', scopes: null } }
  for (const [waitMs, connecting] of [
    [0, other],
    [61_000, {}],
  ] as const) {
    const before = await rig.connect(KALSHI_PATH, query())
    before.sendCommand(both)
    await rig.pass(1_000)
    expect(before.closed?.code).toBe(1012)
    await rig.pass(waitMs)
    const later = await rig.connect(KALSHI_PATH, query(), connecting)
    later.sendCommand(both)
    await rig.pass(1_000)
    expect(later.closed?.code).toBe(1012)
    // Both clients were disconnected. The server forgets their positions before the next round.
    await rig.pass(61_000)
  }
  await made.close()
})

test('at a speed the replay continues meanwhile, and waits for the end of the gap', async () => {
  const made = await gappedStore()
  const rig = new ReplayRig(made.store)
  const before = await rig.connect(KALSHI_PATH, query({ speed: '1' }))
  before.sendCommand(both)
  await rig.pass(250 + 1_600)
  expect(before.closed?.code).toBe(1012)
  // The client reconnects 2 s later. The gap ends at 5 s of the replay, 5.249 s after the first subscription.
  await rig.pass(2_000)
  const behind = await rig.connect(KALSHI_PATH, query({ speed: '1' }))
  behind.sendCommand(both)
  await rig.pass(1_300)
  expect(behind.messages).toHaveLength(1)
  await rig.pass(200)
  expect(behind.messages).toHaveLength(3)
  expect(behind.sentMs.slice(1)).toEqual([5_251, 5_251])
  await made.close()
})

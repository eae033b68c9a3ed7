// Checks how much a commit takes from each connection. A busy connection gets the share that quiet ones leave; a
// connection that is behind gets twice as much. In a cluster store, the records of many markets become one object.

import { expect, test } from 'bun:test'
import { clusterStore } from '../../../storage/cluster/cluster-store.ts'
import type { Store } from '../../../storage/open-store.ts'
import { LiveLoad } from '../../../workers/live-load/live-load.ts'
import { MemoryClusterRows } from '../../support/cluster/memory-cluster-rows.ts'
import { MemoryObjects } from '../../support/cluster/memory-objects.ts'
import { TestStore } from '../../support/store.ts'
import { Connection, START_MS, TICKERS } from './recording.ts'

const delta = (ms: number, ticker = TICKERS[0]!) => ({
  ms,
  market: ticker,
  text: JSON.stringify({
    type: 'orderbook_delta',
    msg: { market_ticker: ticker, price_dollars: '0.5000', delta_fp: '1.00', side: 'yes', ts_ms: ms },
  }),
})

test('a busy connection is not held to the share of a quiet one', async () => {
  const store = new TestStore()
  const nowMs = () => START_MS + 60_000
  const load = new LiveLoad(store.store, { dataFolder: store.folder, nowMs, textBytesMax: 4_000_000 })
  const hand = (connection: string, messages: number) => {
    const { segment, receive } = bound(new Connection(store.folder, { connection, nowMs }))
    let from = 0
    for (let i = 0; i < messages; i++) {
      receive(delta(START_MS + i))
      if (i % 100 < 99 && i < messages - 1) continue
      const bytes = segment.flush()
      load.add(segment.name, { from, length: bytes.length, bytes })
      from += bytes.length
    }
    return from
  }
  for (let quiet = 0; quiet < 7; quiet++) hand(`quiet-${quiet}`, 1)
  const busyBytes = hand('busy', 8_000)
  // The busy connection has more than its share of the room, and less than all of it.
  expect(busyBytes).toBeGreaterThan(1_500_000)
  expect(busyBytes).toBeLessThan(3_900_000)
  await load.commit(true)
  expect(load.hasMore).toBe(false)
  load.close()
  await store.close()
})

test('what waits in a segment is read in commits of twice the room, until nothing waits', async () => {
  const store = new TestStore()
  const nowMs = () => START_MS + 60_000
  const room = 50_000
  const load = new LiveLoad(store.store, { dataFolder: store.folder, nowMs, textBytesMax: room })
  const { segment, receive } = bound(new Connection(store.folder, { connection: 'behind', nowMs }))
  const messages = 6_000
  let [from, flushMax] = [0, 0]
  const hand = (count: number) => {
    for (let i = 1; i <= count; i++) {
      receive(delta(START_MS + i))
      if (i % 10 > 0 && i < count) continue
      const { length } = segment.flush()
      flushMax = Math.max(flushMax, length)
      load.add(segment.name, { from, length, bytes: null })
      from += length
    }
  }
  const taken: number[] = []
  const commit = async () => {
    const before = load.bytesToLoad
    const report = await load.commit()
    expect(report.queuedBytes).toBe(0)
    expect(report.bytesToLoad).toBe(load.bytesToLoad)
    taken.push(before - load.bytesToLoad)
    return report.recordsAdded
  }
  hand(messages)
  let records = 0
  while (load.hasMore) records += await commit()
  expect(records).toBe(messages)
  const rooms = taken.map((bytes) => Math.floor(bytes / room))
  expect(rooms.slice(0, 4)).toEqual([1, 2, 2, 2])
  expect(Math.max(...taken)).toBeLessThan(2 * room + flushMax)
  hand(messages)
  taken.length = 0
  await commit()
  expect(Math.floor(taken[0]! / room)).toBe(1)
  load.close()
  await store.close()
})

test('segments have their turns one after the other, and each loads what has arrived by its turn', async () => {
  const store = new TestStore()
  // The clock moves 3 s a call: flushed messages are old enough, so the loader waits for no more of their instant.
  let clockMs = START_MS + 60_000
  const nowMs = () => {
    clockMs += 3_000
    return clockMs
  }
  const turns: { share: number; isFirst: boolean }[] = []
  let onTurn = () => {}
  const load = new LiveLoad(store.store, {
    dataFolder: store.folder,
    nowMs,
    batchPartitions: 1,
    async turns(share, lastMs) {
      turns.push({ share, isFirst: lastMs === Number.NEGATIVE_INFINITY })
      onTurn()
    },
  })
  const connections = ['c0', 'c1', 'c2', 'c3'].map((connection) => {
    const made = bound(new Connection(store.folder, { connection, nowMs }))
    let from = 0
    const hand = (ms: number) => {
      made.receive(delta(START_MS + ms))
      const bytes = made.segment.flush()
      load.add(made.segment.name, { from, length: bytes.length, bytes })
      from += bytes.length
    }
    return hand
  })
  for (const [i, hand] of connections.entries()) hand(i)
  expect((await load.commit()).recordsAdded).toBe(4)
  const shares = [0, 0.25, 0.5, 0.75]
  expect(turns).toEqual(shares.map((share) => ({ share, isFirst: true })))
  turns.length = 0
  for (const [i, hand] of connections.entries()) hand(5 + i)
  // At this point the first segment has had its turn, and the last one has not.
  onTurn = () => {
    if (turns.length !== 2) return
    connections[0]!(10)
    connections[3]!(11)
  }
  expect(await load.commit()).toMatchObject({ recordsAdded: 5, messages: 5 })
  expect(turns).toEqual(shares.map((share) => ({ share, isFirst: false })))
  expect(load.hasMore).toBe(true)
  expect((await load.commit(true)).recordsAdded).toBe(1)
  expect(turns.length).toBe(4)
  load.close()
  await store.close()
})

test.each([
  [1_000, 1],
  [4_000, 2],
])('%d markets of a cluster become %d objects', async (markets, objectCount) => {
  const stored = new Map()
  const store = new TestStore<Store>(() =>
    clusterStore({ objects: new MemoryObjects(stored), rows: new MemoryClusterRows() }),
  )
  const nowMs = () => START_MS + 60_000
  const load = new LiveLoad(store.store, { dataFolder: store.folder, nowMs })
  const connections = 4
  for (let connection = 0; connection < connections; connection++) {
    const { segment, receive } = bound(new Connection(store.folder, { connection: `c${connection}`, nowMs }))
    for (let i = connection; i < markets; i += connections) receive(delta(START_MS + i, `KXMANY-${i}`))
    const bytes = segment.flush()
    load.add(segment.name, { from: 0, length: bytes.length, bytes })
  }
  expect((await load.commit(true)).recordsAdded).toBe(markets)
  expect(stored.size).toBe(objectCount)
  load.close()
  await store.close()
})

const bound = (connection: Connection) => ({
  segment: connection.segment,
  receive: (message: Parameters<Connection['receive']>[0]) => connection.receive(message),
})

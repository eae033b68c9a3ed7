// What a commit takes of many connections: the busy one gets what the quiet ones leave.

import { expect, test } from 'bun:test'
import { LiveLoad } from '../../../workers/live-load/live-load.ts'
import { TestStore } from '../../support/store.ts'
import { Connection, START_MS, TICKERS } from './recording.ts'

const delta = (ms: number) => ({
  ms,
  market: TICKERS[0]!,
  text: JSON.stringify({
    type: 'orderbook_delta',
    msg: { market_ticker: TICKERS[0], price_dollars: '0.5000', delta_fp: '1.00', side: 'yes', ts_ms: ms },
  }),
})

test('a busy connection is not held to the share of a quiet one', async () => {
  const store = new TestStore()
  const nowMs = () => START_MS + 60_000
  const load = new LiveLoad(store.store, { dataFolder: store.folder, nowMs, textBytesMax: 4_000_000 })
  const hand = (connection: string, messages: number) => {
    const { segment, hear } = bound(new Connection(store.folder, { connection, nowMs }))
    let from = 0
    for (let i = 0; i < messages; i++) {
      hear(delta(START_MS + i))
      if (i % 100 < 99 && i < messages - 1) continue
      const bytes = segment.flush()
      load.add(segment.name, { from, length: bytes.length, bytes })
      from += bytes.length
    }
    return from
  }
  for (let quiet = 0; quiet < 7; quiet++) hand(`quiet-${quiet}`, 1)
  const busyBytes = hand('busy', 8_000)
  // More than its share of the room, and less than all of it.
  expect(busyBytes).toBeGreaterThan(1_500_000)
  expect(busyBytes).toBeLessThan(3_900_000)
  await load.commit(true)
  expect(load.hasMore).toBe(false)
  load.close()
  await store.close()
})

const bound = (connection: Connection) => ({
  segment: connection.segment,
  hear: (said: Parameters<Connection['hear']>[0]) => connection.hear(said),
})

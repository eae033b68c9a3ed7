// A snapshot gets the same time whether its segment is loaded as it grows or whole, even if the change that decides
// this time comes in the next commit. The recorder's clock is 2 s ahead of the venue's.

import { expect, test } from 'bun:test'
import { LiveLoad } from '../../../workers/live-load/live-load.ts'
import { withStore } from '../../support/store.ts'
import { Connection, pathOf, START_MS } from './recording.ts'
import { storedContents } from './stored-contents.ts'

const MARKET = 'KXLIVE-A'
const messageAt = (ms: number, type: string, msg: object) => ({
  ...{ ms: START_MS + ms, market: MARKET },
  text: JSON.stringify({ type, msg: { market_ticker: MARKET, ...msg } }),
})
const snapshot = messageAt(0, 'orderbook_snapshot', { yes_dollars_fp: [['0.40', '5.00']], no_dollars_fp: [] })
const CHANGED_MS = START_MS - 1_600
const DELTA = { price_dollars: '0.4100', delta_fp: '1.00', side: 'yes', ts_ms: CHANGED_MS }
const change = messageAt(400, 'orderbook_delta', DELTA)

test('a snapshot before a change that is not loaded yet', () =>
  withStore(async (store) => {
    let nowMs = START_MS
    const options = { dataFolder: store.folder, nowMs: () => nowMs, textBytesMax: 4_000_000, batchPartitions: 250 }
    const load = new LiveLoad(store.store, options)
    const connection = new Connection(store.folder, { nowMs: () => nowMs })
    const { segment } = connection
    for (const message of [snapshot, change]) connection.receive(message)
    nowMs = START_MS + 1_000
    const bytes = segment.flush()
    load.add(segment.name, { from: 0, length: bytes.length, bytes })
    nowMs = START_MS + 2_500
    await load.commit(false)
    const rest = segment.close()
    load.add(segment.name, { from: bytes.length, length: rest.length, bytes: rest })
    load.closed(segment.name)
    for (let more = true; more; more = load.hasMore) await load.commit(true)
    const [first] = await store.records('kalshi', MARKET, '2026-08-10')
    expect(first).toMatchObject({ type: 'snapshot', timestamp: CHANGED_MS })
    const live = await storedContents(store)
    await withStore(async (loaded) => {
      await loaded.load(pathOf(store.folder, segment.name))
      expect(live).toEqual(await storedContents(loaded))
    })
  }))

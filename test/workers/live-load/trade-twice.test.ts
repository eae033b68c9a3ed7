// A trade of Kalshi that a connection receives twice is stored once, also if a commit comes between the two.

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
const trade = (ms: number, id: string, tradeMs = ms) =>
  messageAt(ms, 'trade', {
    trade_id: id,
    yes_price_dollars: '0.4000',
    count_fp: '2.00',
    taker_side: 'yes',
    ts_ms: START_MS + tradeMs,
  })
const change = (ms: number) =>
  messageAt(ms, 'orderbook_delta', { price_dollars: '0.4100', delta_fp: '1.00', side: 'yes', ts_ms: START_MS + ms })

test.each([1, 2, 5])('after %d commits', (commits) =>
  withStore(async (store) => {
    let nowMs = START_MS
    const options = { dataFolder: store.folder, nowMs: () => nowMs, textBytesMax: 4_000_000, batchPartitions: 250 }
    const load = new LiveLoad(store.store, options)
    const connection = new Connection(store.folder, { nowMs: () => nowMs })
    const { segment } = connection
    let from = 0
    const flush = () => {
      const bytes = segment.flush()
      load.add(segment.name, { from, length: bytes.length, bytes })
      from += bytes.length
    }
    connection.receive(snapshot)
    connection.receive(trade(1_000, 'T'))
    for (let i = 1; i <= commits; i++) {
      connection.receive(change(i * 3_000))
      nowMs = START_MS + i * 3_000 + 2_500
      flush()
      await load.commit(false)
    }
    const repeatMs = commits * 3_000 + 1_000
    connection.receive(trade(repeatMs, 'T', 1_000))
    connection.receive(change(repeatMs + 5))
    flush()
    nowMs += 10_000
    await load.commit(true)
    const trades = async () =>
      (await store.records('kalshi', MARKET, '2026-08-10')).filter(({ type }) => type === 'trade').length
    expect(await trades()).toBe(1)
    const rest = segment.close()
    load.add(segment.name, { from, length: rest.length, bytes: rest })
    load.closed(segment.name)
    for (let more = true; more; more = load.hasMore) await load.commit(true)
    const live = await storedContents(store)
    await withStore(async (loaded) => {
      await loaded.load(pathOf(store.folder, segment.name))
      expect(live).toEqual(await storedContents(loaded))
    })
  }),
)

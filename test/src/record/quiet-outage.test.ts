// An outage, or a restart, in a market in which nothing changed. Its books are known again afterwards.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openStore } from '../../../storage/open-store.ts'
import { eventually, gapsIn, RecorderRun } from '../../support/record/recorder-run.ts'
import { TestStore } from '../../support/store.ts'
import { PolymarketServer } from '../../support/venues/polymarket-server.ts'

const MARKET = `0x${'1'.repeat(64)}`
const TOKENS = ['111', '222'] as const

let server: PolymarketServer

beforeEach(async () => {
  server = await new PolymarketServer().start()
  server.addMarket(MARKET, TOKENS)
})

afterEach(() => server.stop())

const record = (folder?: string) =>
  new RecorderRun({
    polymarket: { ws_url: server.wsUrl, clob_url: '', asset_ids: [...TOKENS] },
    own: { commit_seconds: 0.1 },
    isLoaded: true,
    ...(folder === undefined ? {} : { folder }),
  })

async function storedIn(folder: string) {
  const store = new TestStore(() => openStore(folder))
  const [day] = await store.store.catalogue.heads('polymarket', MARKET)
  const records = await store.records('polymarket', MARKET, day!.date)
  const isKnown = day!.head.books.map(({ last }) => last !== null)
  await store.close()
  return { types: records.map(({ type }) => type), isKnown }
}

test('a book that is the same before and after an outage is known after it', async () => {
  const run = record()
  await eventually('a commit', () => run.stats.recordsAdded === 2)
  server.peers[0]!.socket.drop()
  await eventually('books', () => run.stats.venues.polymarket.frames === 2)
  const lines = await run.stop()
  expect(gapsIn(lines).map(({ closed_by }) => closed_by)).toEqual(['same_hash', 'same_hash'])
  const { types, isKnown } = await storedIn(run.folder)
  expect(types.toSorted()).toEqual(['gap', 'gap', 'snapshot', 'snapshot', 'snapshot', 'snapshot'])
  expect(isKnown).toEqual([true, true])
  run.remove()
})

test('a restarted recorder writes a gap from the time of its last frame on', async () => {
  const first = record()
  await eventually('books', () => first.stats.venues.polymarket.frames === 1)
  server.change('111', 'BUY', 490, 500)
  await eventually('a change', () => first.stats.venues.polymarket.frames === 2)
  const before = await first.stop()
  type Frame = { recv_ns: number; raw: string }
  const [snapshots, change] = before.filter((line) => typeof line['raw'] === 'string') as [Frame, Frame]
  const receivedMs = ({ recv_ns }: Frame) => Math.floor(recv_ns / 1e6)
  // The clocks of the venue and of the recorder may differ by a tick, so the earlier time counts. The gap
  // begins after the last snapshot, even if the change came in the same millisecond.
  const changedMs = Math.min(Number(JSON.parse(change.raw).timestamp), receivedMs(change))
  const fromMs = Math.max(changedMs, receivedMs(snapshots) + 1)
  const second = record(first.folder)
  await eventually('books', () => second.stats.venues.polymarket.frames === 1)
  const gaps = gapsIn(await second.stop())
  expect(gaps).toHaveLength(2)
  for (const gap of gaps)
    expect(gap).toMatchObject({ reason: 'restart', scope: 'connection', closed_by: 'snapshot', from: fromMs })
  const { types, isKnown } = await storedIn(second.folder)
  expect(types.filter((type) => type === 'gap')).toHaveLength(2)
  expect(isKnown).toEqual([true, true])
  second.remove()
})

// long: whole days are recorded again
// Replays stored days of Kalshi in the venue's protocol. A recorder stores the replay in a second store. Both stores
// have the same records, books and summaries.

import { afterAll, afterEach, expect, test } from 'bun:test'
import { KALSHI_PATH } from '../../../../src/replay/venues/kalshi/protocol.ts'
import { DAY_MS } from '../../../../storage/units.ts'
import { syntheticDay } from '../../../../workers/synthetic/synthetic-day.ts'
import { IS_LONG } from '../../../run/effort.ts'
import { capture, hasCaptures } from '../../../support/captures.ts'
import { gapsIn, RecorderRun } from '../../../support/record/recorder-run.ts'
import { serveReplay } from '../../../support/replay/replay-server.ts'
import { dateRequest, TestStore } from '../../../support/store.ts'

const opened: { close(): Promise<void> }[] = []
let run: RecorderRun | undefined

afterEach(() => {
  run?.remove()
  run = undefined
})
afterAll(async () => {
  for (const each of opened) await each.close()
})

function newStore(): TestStore {
  const store = new TestStore()
  opened.push(store)
  return store
}

const tickersOf = async (store: TestStore) =>
  (await store.store.catalogue.markets('kalshi', { prefix: '', offset: 0, limit: 1_000 })).markets

/** Records the replay of a store with the smallest configuration, until the replay has sent everything. */
async function recorded(from: TestStore, settings: Record<string, unknown> = {}) {
  const tickers = await tickersOf(from)
  const dates = (await Promise.all(tickers.map((ticker) => from.dates('kalshi', ticker)))).flat().sort()
  using server = serveReplay(from.store)
  const fromMs = Date.parse(dates[0]!) - 1
  const toMs = Date.parse(dates.at(-1)!) + DAY_MS - 1
  const wsUrl = `${server.url}${KALSHI_PATH}?from=${fromMs}&to=${toMs}&speed=0&key=bb_key`
  const kalshi = { ws_url: wsUrl, rest_url: '', tickers, pingMs: 10_000, pongMs: 20_000, ...settings }
  run = new RecorderRun({ kalshi, endsWithVenues: true })
  await run.recorder.finished
  const lines = await run.stop()
  const to = newStore()
  const reports = await to.load(...run.paths())
  return { to, lines, reports, tickers, stats: run.stats.venues.kalshi }
}

/** Returns the envelope without `sid` and `seq`, which a replay numbers from 1 again. */
const unnumbered = ({ sid: _sid, seq: _seq, ...rest }: Record<string, unknown>) => rest

async function expectSame(from: TestStore, to: TestStore, tickers: string[]): Promise<number> {
  expect(await tickersOf(to)).toEqual(await tickersOf(from))
  let records = 0
  for (const ticker of tickers) {
    const dates = await from.dates('kalshi', ticker)
    expect(await to.dates('kalshi', ticker)).toEqual(dates)
    for (const date of dates) {
      const [given, got] = [await from.records('kalshi', ticker, date), await to.records('kalshi', ticker, date)]
      expect(got.length).toBe(given.length)
      expect(got.map(unnumbered)).toEqual(given.map(unnumbered))
      records += given.length
      const request = dateRequest('kalshi', ticker, ticker, date, 1)
      expect(await to.summary(request)).toEqual(await from.summary(request))
    }
  }
  return records
}

const DATE = '2026-07-20'
const DAY = syntheticDay({ date: DATE, kalshiRecords: 6_000, polymarketRecords: 2 })

test.each([
  ['one connection', {}],
  ['several connections', { per_connection: 2 }],
  ['several commands a connection', { subscribeChunk: 1 }],
])('a synthetic day over %s', async (_, settings) => {
  const from = newStore()
  await from.loadLines('kalshi.ndjson', [...DAY.kalshiLines])
  const { to, lines, tickers, stats } = await recorded(from, settings)
  expect(tickers.length).toBeGreaterThan(2)
  expect(await expectSame(from, to, tickers)).toBeGreaterThan(5_900)
  expect(gapsIn(lines)).toEqual([])
  expect(Object.fromEntries(stats.unknown)).toEqual({})
})

const CAPTURES: [ticker: string, dates: string[]][] = [
  ['KXGOLD15M-26AUG102000-00', ['2026-08-10', '2026-08-11']],
  ['KXGOLD15M-26AUG102030-30', ['2026-08-11']],
]
if (IS_LONG) {
  CAPTURES.push(['KXGOLD15M-26AUG050000-00', ['2026-08-05']], ['KXGOLD15M-26AUG121300-00', ['2026-08-12']])
}

test.skipIf(!hasCaptures).each(CAPTURES)('the real market %s', async (ticker, dates) => {
  const from = newStore()
  for (const date of dates) await from.load(capture(`kalshi/${ticker}/${date}.ndjson.gz`))
  const { to, lines, tickers } = await recorded(from)
  expect(await expectSame(from, to, tickers)).toBeGreaterThan(10_000)
  expect(gapsIn(lines)).toEqual([])
})

test('an outage is recorded as an outage', async () => {
  const atMs = Date.UTC(2026, 6, 20, 12)
  const ticker = 'A-1'
  const line = (ms: number, type: string, seq: number, msg: object) =>
    JSON.stringify({ recv_ms: atMs + ms + 5, event: { type, sid: 1, seq, msg: { market_ticker: ticker, ...msg } } })
  const delta = (ms: number, seq: number, change: string) =>
    line(ms, 'orderbook_delta', seq, { price_dollars: '0.4000', delta_fp: change, side: 'yes', ts_ms: atMs + ms })
  const snapshot = (ms: number, seq: number) =>
    line(ms, 'orderbook_snapshot', seq, { yes_dollars_fp: [['0.4000', '5.00']] })
  const gap = { reason: 'disconnect', from: atMs + 2_000, to: atMs + 9_005, connection: 'c-1', scope: 'connection' }
  const from = newStore()
  await from.loadLines('outage.ndjson', [
    ...[snapshot(0, 1), delta(1_000, 2, '1.00'), delta(2_000, 3, '1.00')],
    JSON.stringify({
      type: 'gap',
      venue: 'kalshi',
      market: ticker,
      msg: { ...gap, closed_by: 'snapshot', closed_seq: 1 },
    }),
    ...[snapshot(9_000, 1), delta(10_000, 2, '2.00')],
  ])
  const { to, tickers } = await recorded(from)
  const [given, got] = await Promise.all([from, to].map((each) => each.records('kalshi', ticker, '2026-07-20')))
  expect(got!.map(({ type, timestamp }) => [type, timestamp])).toEqual(
    given!.map((each) => [each.type, each.timestamp]),
  )
  const { connection: _, ...replayed } = got!.find(({ type }) => type === 'gap')!.msg as typeof gap
  const { connection: __, ...original } = { ...gap, closed_by: 'snapshot', closed_seq: 1 }
  expect(replayed).toEqual(original)
  expect(tickers).toEqual([ticker])
})

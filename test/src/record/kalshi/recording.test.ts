// Records Kalshi with the whole recorder, from the Kalshi test server into a store.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { utcDate } from '../../../../storage/units.ts'
import { capture, hasCaptures } from '../../../support/captures.ts'
import { eventually, gapsIn, RecorderRun, type RunOptions } from '../../../support/record/recorder-run.ts'
import { TestStore } from '../../../support/store.ts'
import { KalshiServer } from '../../../support/venues/kalshi-server.ts'

let server: KalshiServer
let store: TestStore
let run: RecorderRun | undefined

beforeEach(async () => {
  server = await new KalshiServer({ heartbeatMs: 50 }).start()
  store = new TestStore()
})

afterEach(async () => {
  await run?.stop()
  run?.remove()
  run = undefined
  await Promise.all([server.stop(), store.close()])
})

function record(tickers: string[], settings: Record<string, unknown> = {}, options: RunOptions = {}): RecorderRun {
  const urls = { ws_url: server.wsUrl, rest_url: '', audits_per_second: 0 }
  // A pong may take longer when other tests run at the same time.
  run = new RecorderRun({ kalshi: { ...urls, tickers, ...settings }, ...options })
  return run
}

const subscribed = (books: number) =>
  eventually('subscriptions', () => server.peers.reduce((sum, { tickers }) => sum + tickers.length, 0) === books)

/** Maps the type of a venue message to the type of the record that it becomes. */
const TYPE = { orderbook_snapshot: 'snapshot', orderbook_delta: 'delta', trade: 'trade' } as Record<string, string>

describe('the recorder', () => {
  test('is behind until segments of an earlier run are loaded, and logs this when it stops', async () => {
    server.setBook('A-1', { yes: [[4_000, 500]], no: [] })
    const { recorder, stats, notes } = record(['A-1'], {}, { leftoverSegments: 2 })
    await eventually('a state that lasts', () => recorder.state !== 'starting')
    expect(recorder.state).toBe('catching_up')
    await eventually('two waiting segments', () => stats.segmentsWaiting === 2)
    await recorder.stop()
    expect(notes.at(-1)).toBe(
      'some segments of an earlier run are not loaded yet: the next start continues with them {"segments":2}',
    )
  })

  test('is behind while nothing can be committed', async () => {
    server.setBook('A-1', { yes: [[4_000, 500]], no: [] })
    const { recorder } = record(['A-1'])
    await eventually('a state that lasts', () => recorder.state === 'recording')
    const quiet = {
      messages: 0,
      recordsAdded: 0,
      gaps: 0,
      skipped: {},
      rejected: 0,
      audits: 0,
      errors: [],
      queuedBytes: 0,
      loaded: [],
    }
    const report = { ...quiet, committedMs: 0, tookMs: 0, lagMs: null, bytesToLoad: 0, failure: null }
    recorder.committed({ ...report, failure: { code: 'store_unavailable', message: 'the store cannot be written' } })
    expect(recorder.state).toBe('catching_up')
    recorder.committed(report)
    expect(recorder.state).toBe('recording')
  })

  test('records a market from its first book into a store', async () => {
    server.setBook('A-1', { yes: [[4_000, 500]], no: [[100, 25]] })
    const { stats } = record(['A-1'])
    await subscribed(1)
    await eventually('trades subscribed', () => server.peers[0]!.subscription('trade') !== undefined)
    server.delta('A-1', 'yes', 4_000, -150)
    server.trade('A-1', 4_000, 150, 'no')
    server.delta('A-1', 'no', 200, 75)
    await eventually('all frames', () => stats.venues.kalshi.frames >= 6)
    const lines = await run!.stop()
    expect(lines[0]).toMatchObject({ backbook: 'segment', venue: 'kalshi', use_yes_price: false, clock: 'machine' })
    const commands = lines.flatMap((line) => (line['backbook'] === 'command' ? [JSON.parse(String(line['text']))] : []))
    expect(commands[0]).toEqual({
      id: 1,
      cmd: 'subscribe',
      params: { channels: ['orderbook_delta', 'trade'], market_tickers: ['A-1'], use_yes_price: false },
    })
    const [report] = await store.load(...run!.paths())
    expect(report).toMatchObject({ records: 4, recordsAdded: 4, rejected: 0, error: null })
    const records = await store.records('kalshi', 'A-1', utcDate(Date.now()))
    const [snapshot, ...others] = records
    expect(snapshot).toMatchObject({ type: 'snapshot', sid: 1, seq: 1, msg: { no_dollars_fp: [['0.0100', '0.25']] } })
    expect(others.map(({ type, msg }) => ({ type, msg }))).toEqual(
      server.history.map(({ type, msg }) => ({ type: TYPE[type]!, msg })),
    )
  })

  test('spreads markets over connections, and over more if the venue accepts fewer for each', async () => {
    const tickers = Array.from({ length: 90 }, (_, index) => `M-${index}`)
    server.marketLimit = 20
    const { stats } = record(tickers, { per_connection: 40, subscribeChunk: 20 })
    await subscribed(90)
    await eventually('all books', () => stats.venues.kalshi.booksLost === 0)
    expect(Math.max(...server.peers.map(({ tickers }) => tickers.length))).toBeLessThanOrEqual(20)
    expect(new Set(server.peers.flatMap(({ tickers }) => tickers))).toEqual(new Set(tickers))
    expect(stats.venues.kalshi.marketsLeftOut).toBe(0)
    expect(gapsIn(await run!.stop())).toEqual([])
  })

  test('loses nothing outside the recorded gaps when sockets are cut at random', async () => {
    const tickers = ['A-1', 'A-2', 'A-3']
    const { stats } = record(tickers, { per_connection: 2 })
    await subscribed(3)
    const isWhole = () => server.peers.length === 2 && stats.venues.kalshi.booksLost === 0
    for (let round = 0; round < 12; round++) {
      await eventually('all books', isWhole)
      for (let change = 1; change <= 20; change++) server.delta(tickers[change % 3]!, 'yes', 4_000 + change, change)
      const peer = server.peers[round % 2]!
      if (round % 3 === 0) peer.socket.drop()
      else if (round % 3 === 1) peer.skip('orderbook_delta', 2)
      else peer.endSubscription('orderbook_delta', 25)
      await Bun.sleep(2)
      for (let change = 1; change <= 10; change++) server.delta(tickers[change % 3]!, 'no', 3_000 + change, change)
    }
    await eventually('all books', isWhole)
    for (const [index, peer] of server.peers.entries()) peer.say({ type: `end ${index}` })
    await eventually('all frames', () => ['end 0', 'end 1'].every((type) => stats.venues.kalshi.unknown.has(type)))
    await eventually('all books', () => stats.venues.kalshi.booksLost === 0)
    await run!.stop()
    await store.load(...run!.paths())
    for (const ticker of tickers) {
      const records = await store.records('kalshi', ticker, utcDate(Date.now()))
      const held = new Set(records.map(({ msg }) => JSON.stringify(msg)))
      const gaps = records.filter(({ type }) => type === 'gap').map(({ msg }) => msg as { from: number; to: number })
      const lost = server.history.filter((each) => each.ticker === ticker && !held.has(JSON.stringify(each.msg)))
      expect(lost.length).toBeGreaterThan(0)
      const within = (ms: number) => gaps.some(({ from, to }) => from <= ms + 1 && ms <= to)
      expect(lost.filter(({ msg }) => !within(Number(msg['ts_ms'])))).toEqual([])
    }
  })
})

test.skipIf(!hasCaptures)('a real market is recorded with the captured messages', async () => {
  const ticker = 'KXGOLD15M-26AUG102030-30'
  const path = capture(`kalshi/${ticker}/2026-08-11.ndjson.gz`)
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n')
  const events = lines.map(
    (line) => (JSON.parse(line) as { event: { type: string; msg: Record<string, unknown> } }).event,
  )
  const { stats } = record([ticker])
  await subscribed(1)
  await eventually('trades subscribed', () => server.peers[0]!.subscription('trade') !== undefined)
  const before = stats.venues.kalshi.frames
  for (const [index, event] of events.entries()) {
    server.play(event)
    if (index % 500 === 0) await Bun.sleep(0)
  }
  await eventually('all frames', () => stats.venues.kalshi.frames >= before + events.length, 20_000)
  const recorded = await run!.stop()
  const frames = recorded.flatMap(({ raw, source }) => (typeof raw === 'string' && source === undefined ? [raw] : []))
  const messages = frames
    .map((raw) => JSON.parse(raw) as { type: string; msg: object })
    .filter(({ type }) => type in TYPE)
  // The first message is an empty book: the book of the server at the time of the subscription.
  expect(messages.slice(1).map(({ type, msg }) => ({ type, msg }))).toEqual(
    events.map(({ type, msg }) => ({ type, msg })),
  )
  expect(gapsIn(recorded)).toEqual([])
})

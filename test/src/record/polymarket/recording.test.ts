// Records Polymarket from the Polymarket test server, which behaves and misbehaves like the venue.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  eventually,
  framesIn,
  gapsIn,
  messagesIn,
  RecorderRun,
  type RunOptions,
} from '../../../support/record/recorder-run.ts'
import { TestStore } from '../../../support/store.ts'
import { PolymarketServer } from '../../../support/venues/polymarket-server.ts'

const MARKET = `0x${'1'.repeat(64)}`
const TOKENS = ['111', '222'] as const
const [A] = TOKENS

let server: PolymarketServer
let run: RecorderRun | undefined

beforeEach(async () => {
  server = await new PolymarketServer().start()
  server.addMarket(MARKET, TOKENS)
})

afterEach(async () => {
  await run?.stop()
  run?.remove()
  run = undefined
  await server.stop()
})

function record(settings: Record<string, unknown> = {}, options: RunOptions = {}): RecorderRun {
  const urls = { ws_url: server.wsUrl, clob_url: server.clobUrl, audits_per_second: 0 }
  run = new RecorderRun({ polymarket: { ...urls, asset_ids: [...TOKENS], ...settings }, ...options })
  return run
}

const subscribed = (count = 1) =>
  eventually(
    'a subscription',
    () => server.peers.length > 0 && server.opened >= count && server.peers.at(-1)!.tokens.size === 2,
  )

test('a market is recorded from its first book into a store', async () => {
  const { stats } = record()
  await subscribed()
  server.change(A, 'BUY', 490, 1_500)
  server.trade(A, 490, 100, 'SELL')
  server.change(A, 'BUY', 490, 0)
  await eventually('four frames', () => stats.venues.polymarket.frames === 4)
  const lines = await run!.stop()
  expect(messagesIn(lines)).toEqual(server.delivered)
  expect(lines[0]).toMatchObject({ backbook: 'segment', venue: 'polymarket', recorder: 'test', clock: 'machine' })
  expect(lines.at(-1)).toMatchObject({ backbook: 'footer' })
  const commands = lines.flatMap((line) => (line['backbook'] === 'command' ? [JSON.parse(String(line['text']))] : []))
  expect(commands).toEqual([
    { type: 'market', assets_ids: [...TOKENS], initial_dump: true, level: 2, custom_feature_enabled: false },
  ])
  const store = new TestStore()
  const [report] = await store.load(...run!.paths())
  expect(report).toMatchObject({ records: 7, recordsAdded: 7, rejected: 0, error: null })
  await store.close()
})

test('frames that end with a newline, come twice, are arrays or of an unknown type are recorded as they came', async () => {
  const { stats } = record()
  await subscribed()
  server.frameEnd = '\n'
  server.isRepeating = true
  server.change(A, 'BUY', 490, 1_500)
  server.say([A], { event_type: 'best_bid_ask', market: MARKET, asset_id: A, best_bid: '0.49', timestamp: '1' })
  server.isRepeating = false
  server.say([A], { event_type: 'weather', market: MARKET, asset_id: A, wind: 3 })
  server.say([A], [{ event_type: 'weather', market: MARKET, asset_id: A, wind: 4 }, server.bookOf(A).snapshot(A)])
  server.peers[0]!.say('no JSON')
  await eventually('eight frames', () => stats.venues.polymarket.frames === 8)
  const frames = framesIn(await run!.stop())
  expect(frames.map((text) => text.endsWith('\n'))).toEqual([true, true, true, true, true, true, true, false])
  expect(frames[1]).toBe(frames[2]!)
  expect(frames.at(-1)).toBe('no JSON')
  expect(Object.fromEntries(stats.venues.polymarket.unknown)).toEqual({ weather: 2, 'no JSON': 1 })
  expect(stats.venues.polymarket.reconnects.size).toBe(0)
})

test('a message of two megabytes is recorded', async () => {
  const { stats } = record()
  await subscribed()
  const text = 'x'.repeat(2 << 20)
  server.say([A], { event_type: 'weather', market: MARKET, asset_id: A, text })
  await eventually('the message', () => stats.venues.polymarket.frames === 2)
  expect(framesIn(await run!.stop())[1]).toHaveLength(
    text.length + JSON.stringify({ event_type: 'weather', market: MARKET, asset_id: A, text: '' }).length,
  )
})

test('a socket that does not answer is replaced, and a gap is written', async () => {
  const { stats } = record({ pongMs: 100 })
  await subscribed()
  server.change(A, 'BUY', 490, 1_500)
  await eventually('a change', () => stats.venues.polymarket.frames === 2)
  // TCP stays connected, but nothing arrives any more.
  server.peers[0]!.socket.isSilent = true
  server.change(A, 'BUY', 490, 700)
  await subscribed(2)
  await eventually('a book', () => stats.venues.polymarket.frames === 3)
  server.change(A, 'BUY', 490, 600)
  await eventually('another change', () => stats.venues.polymarket.frames === 4)
  const lines = await run!.stop()
  expect(messagesIn(lines)).toEqual(server.delivered)
  const gaps = gapsIn(lines)
  expect(gaps.map(({ reason, scope, closed_by }) => [reason, scope, closed_by])).toEqual([
    ['silence', 'connection', 'snapshot'],
    ['silence', 'connection', 'snapshot'],
  ])
  for (const { from, to } of gaps) expect(Number(from)).toBeLessThanOrEqual(Number(to))
})

test('a broad socket that sends PONG but no data counts as silent', async () => {
  const { stats } = record({ silenceMs: 300, broadBooks: 2 })
  await subscribed()
  for (let i = 0; i < 40; i++) server.change(A, 'BUY', 490, 100 + i)
  await eventually('all changes', () => stats.venues.polymarket.frames === 41)
  server.peers[0]!.isFrozen = true
  await subscribed(2)
  await eventually('all books', () => stats.venues.polymarket.frames === 42)
  expect(gapsIn(await run!.stop()).map(({ reason }) => reason)).toEqual(['silence', 'silence'])
})

test('a narrow socket is replaced by a new one without a gap', async () => {
  const { stats } = record({ rotateMs: 1_000, snapshotMs: 1_000 })
  await subscribed()
  const changes = setInterval(() => server.change(A, 'BUY', 490, 100 + Math.floor(Math.random() * 1_000)), 5)
  await eventually('a replacement', () => stats.venues.polymarket.rotations === 1)
  await eventually('more than 100 changes', () => server.delivered.length > 100)
  clearInterval(changes)
  const lines = await run!.stop()
  expect(gapsIn(lines)).toEqual([])
  const store = new TestStore()
  await store.load(...run!.paths())
  const date = new Date().toISOString().slice(0, 10)
  const stored = (await store.records('polymarket', MARKET, date)).map(({ msg }) => msg)
  const hashes = new Set(stored.map((msg) => JSON.stringify(msg)))
  // Each change makes two records, one for each token. Both sockets sent some of them, and none is stored twice.
  expect(hashes.size).toBe(stored.length)
  await store.close()
})

test('a connection that is cut in the middle of a frame is opened again', async () => {
  const { stats } = record()
  await subscribed()
  server.peers[0]!.socket.partOf(JSON.stringify(server.bookOf(A).snapshot(A)), 100)
  server.peers[0]!.socket.drop()
  await subscribed(2)
  await eventually('all books', () => stats.venues.polymarket.frames === 2)
  const lines = await run!.stop()
  expect(messagesIn(lines)).toEqual(server.delivered)
  expect(gapsIn(lines).map(({ reason, closed_by }) => [reason, closed_by])).toEqual([
    ['disconnect', 'same_hash'],
    ['disconnect', 'same_hash'],
  ])
})

test('a command that names too many tokens closes the socket: chunks are small enough', async () => {
  const tokens = Array.from({ length: 50 }, (_, i) => String(1_000 + i))
  for (let i = 0; i < tokens.length; i += 2)
    server.addMarket(`0x${String(i).padStart(64, '0')}`, [tokens[i]!, tokens[i + 1]!])
  server.tokensMax = 10
  const { stats } = record({ asset_ids: tokens, subscribeChunk: 10 })
  await eventually('five commands', () => server.peers[0]?.commands.length === 5)
  await eventually('all books', () => stats.venues.polymarket.books === 50 && stats.venues.polymarket.booksLost === 0)
  expect(server.opened).toBe(1)
  await run!.stop()
  run!.remove()
  record({ asset_ids: tokens, subscribeChunk: 50 })
  // The pauses grow, so the recorder opens few connections.
  await Bun.sleep(500)
  expect(server.opened).toBeGreaterThan(2)
  expect(server.opened).toBeLessThan(20)
})

test('a handshake that is refused with 429 is tried again', async () => {
  server.refusals.push({ status: 429, headers: { 'retry-after': '1' } })
  const { stats } = record()
  await subscribed()
  expect(stats.venues.polymarket.connectFailures).toBe(1)
})

test('a token without a snapshot gets one from REST, whose hash is checked', async () => {
  server.withoutSnapshot.add(A)
  // A body with a wrong hash.
  server.restFaults.push(() => Response.json({ ...server.bookOf(A).rest(A), bids: [] }))
  const { stats } = record({ snapshotMs: 100 })
  await subscribed()
  await eventually('a book of REST', () => stats.venues.polymarket.restBooks === 1)
  const lines = await run!.stop()
  const bodies = lines.flatMap((line) => (line['source'] === 'rest' ? [JSON.parse(String(line['raw']))] : []))
  expect(bodies).toEqual([server.bookOf(A).rest(A)])
  expect(stats.venues.polymarket.discovery.garbage).toBe(1)
})

test('a REST body that is older than the data of the socket is not used', async () => {
  const { stats } = record({ snapshotMs: 100 })
  server.withoutSnapshot.add(A)
  const old = server.bookOf(A).rest(A)
  server.restFaults.push(async () => {
    server.change(A, 'BUY', 470, 900)
    await eventually('the change', () => stats.venues.polymarket.frames === 2)
    return Response.json(old)
  })
  await subscribed()
  await eventually('a book of REST', () => stats.venues.polymarket.restBooks === 1)
  const lines = await run!.stop()
  const raw = lines.flatMap((line) => (typeof line['raw'] === 'string' ? [line] : []))
  expect(raw.at(-1)).toMatchObject({ source: 'rest' })
  expect(JSON.parse(String(raw.at(-1)!['raw']))['hash']).toBe(server.bookOf(A).hash(A))
  expect(server.requestedTokens.length).toBeGreaterThanOrEqual(2)
})

test('books are compared with REST; a book that differs twice is requested on another socket', async () => {
  const { stats } = record({ audits_per_second: 20 })
  await subscribed()
  const { audits } = stats.venues.polymarket
  await eventually('three audits', () => audits.exact >= 3)
  expect(audits.inconsistent).toBe(0)
  // The venue sends no more messages about the token.
  server.change(A, 'BUY', 470, 900, { isHidden: true })
  await eventually('a replacement', () => server.opened === 2)
  const exact = audits.exact
  await eventually('audits that agree', () => audits.exact >= exact + 3)
  const lines = await run!.stop()
  const results = lines.flatMap((line) => (line['backbook'] === 'audit' ? [line] : []))
  expect(results).toHaveLength(Object.values(audits).reduce((sum, count) => sum + count, 0))
  expect(results[0]).toMatchObject({ venue: 'polymarket', market: MARKET, result: 'exact' })
  // The socket may have left out more messages.
  const gaps = gapsIn(lines).map(({ reason, scope, closed_by }) => [reason, scope, closed_by])
  expect(gaps.slice(0, 2).sort()).toEqual([
    ['resync', 'book', 'snapshot'],
    ['silence', 'connection', 'snapshot'],
  ])
})

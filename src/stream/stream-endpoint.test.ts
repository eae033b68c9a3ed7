// Tests /stream on a real socket over a store that grows: state, changes, positions, refusals.

import { expect, test } from 'bun:test'
import {
  CONDITION,
  capture,
  kalshiDelta,
  kalshiGap,
  kalshiSnapshot,
  NOON,
  priceChange,
  TICKER,
} from '../../test/model/lines.ts'
import { AUTHORIZED, fakeAccounts, NO_TOKENS } from '../../test/support/server.ts'
import { ServedStream, type StreamReader } from '../../test/support/stream/served-stream.ts'

const load = (served: ServedStream, name: string, ...lines: Parameters<typeof capture>) =>
  served.store.loadLines(name, capture(...lines).split('\n'))

const at =
  (record: number, channel = 'book') =>
  (message: Record<string, unknown>) =>
    message['record'] === record && message['channel'] === channel && message['type'] !== 'begin'

const KALSHI = `markets=kalshi:${TICKER}`
const BOOK = kalshiSnapshot([['0.40', '5.00']])

test.each(['websocket', 'events'] as const)('begins with the present state, and continues: %s', async (kind) => {
  await using served = new ServedStream()
  await load(served, 'a', { recv_ms: NOON, event: BOOK }, kalshiDelta(10, '0.41', '7.00'))
  const query = `${KALSHI}&channels=book,quotes,records,trades`
  const reader = kind === 'websocket' ? served.webSocket(query) : await served.events(query)
  const state = await reader.until(({ channel, type }) => channel === 'quotes' && type === 'quote')
  expect(state.map(({ channel, type }) => `${channel} ${type}`)).toEqual([
    ...['records begin', 'trades begin', 'book begin', 'book book', 'quotes begin', 'quotes quote'],
  ])
  expect(state[3]).toMatchObject({
    ...{ venue: 'kalshi', market: TICKER, ticker: TICKER, trust: 'established', timestamp: NOON + 10 },
    ...{
      bids: [
        [0.41, 7],
        [0.4, 5],
      ],
      asks: [],
    },
  })
  expect(state[5]).toMatchObject({ best_bid: 0.41, best_bid_size: 7, best_ask: null, best_ask_size: 0, record: 1 })
  await load(served, 'b', kalshiDelta(20, '0.41', '-2.00'), kalshiGap(30))
  const changes = await reader.until(at(3, 'quotes'))
  expect(changes.map(({ channel, type, record }) => `${channel} ${type} ${record ?? ''}`)).toEqual([
    ...['records delta ', 'book level 2', 'quotes quote 2'],
    ...['records gap ', 'trades gap 3', 'book gap 3', 'quotes gap 3'],
  ])
  expect(changes[0]).toMatchObject({ ...{ venue: 'kalshi', market: TICKER }, msg: { delta_fp: '-2.00' } })
  expect(changes[1]).toMatchObject({ changes: [{ side: 'bid', price: 0.41, before: 7, after: 5 }] })
  expect(changes[5]).toMatchObject({ reason: 'reconnect', from: NOON + 30, to: NOON + 30 })
})

test('a client that resumes after any message misses nothing and gets nothing twice', async () => {
  await using served = new ServedStream()
  await load(served, 'a', { recv_ms: NOON, event: BOOK })
  const query = `${KALSHI}&channels=records,book,quotes`
  const first = await served.events(query)
  await first.until(({ type }) => type === 'quote')
  await load(served, 'b', ...[10, 20, 30].map((ms) => kalshiDelta(ms, '0.41', '1.00')))
  const received = await first.until(at(3, 'quotes'))
  expect(received).toHaveLength(9)
  for (const [i, { position }] of received.slice(0, -1).entries()) {
    const again = served.webSocket(`${query}&after=${position}`)
    expect(await again.until(at(3, 'quotes'))).toEqual(received.slice(i + 1))
    await again.close()
    const events = await served.events(`${query}&after=broken_but_not_used`, { 'last-event-id': position })
    expect(await events.until(at(3, 'quotes'))).toEqual(received.slice(i + 1))
    await events.close()
  }
})

test('records that are merged before what was sent restart the stream, with a reset message', async () => {
  await using served = new ServedStream()
  await load(served, 'a', { recv_ms: NOON, event: BOOK })
  await load(served, 'b', kalshiDelta(1_000, '0.41', '1.00'))
  const reader = served.webSocket(`${KALSHI}&channels=book`)
  const { position } = (await reader.until(({ type }) => type === 'book'))[1]!
  await load(served, 'late', kalshiDelta(500, '0.42', '3.00'))
  const reset = await reader.until(({ type }) => type === 'book')
  expect(reset[0]).toMatchObject({ type: 'reset', reason: 'late_records', changed: { date: '2026-08-10', record: 1 } })
  expect(reset[1]).toMatchObject({
    bids: [
      [0.42, 3],
      [0.41, 1],
      [0.4, 5],
    ],
  })
  const later = await served.webSocket(`${KALSHI}&channels=book&after=${position}`).until(({ type }) => type === 'book')
  expect(later).toEqual(reset)
})

test('markets of both venues go through one stream, each from where it was', async () => {
  await using served = new ServedStream()
  await load(served, 'a', { recv_ms: NOON, event: BOOK })
  await load(served, 'b', priceChange(0, { price: '0.5', size: '9', best_bid: '0.5', best_ask: '0.6' }))
  const query = `markets=polymarket:${CONDITION},${KALSHI.slice(8)}&channels=trades,records`
  const reader = await served.events(query)
  const isOther = ({ venue, channel }: { venue: string; channel: string }) =>
    `${venue} ${channel}` === 'polymarket trades'
  const state = await reader.until(isOther)
  expect(state.map(({ venue, channel, type }) => `${venue} ${channel} ${type}`)).toEqual([
    ...['kalshi records begin', 'kalshi trades begin'],
    ...['polymarket records begin', 'polymarket trades begin'],
  ])
  await load(served, 'c', kalshiDelta(5, '0.40', '1.00'))
  const delta = await reader.next()
  await load(served, 'd', priceChange(9, { price: '0.4', size: '1' }))
  const change = await reader.next()
  expect([delta.venue, change.venue]).toEqual(['kalshi', 'polymarket'])
  // Resumes in the middle of the state: Kalshi's state starts over, and nothing is known of the other venue yet.
  const again = served.webSocket(`${query}&after=${state[0]!.position}`)
  expect(await again.until(isOther)).toHaveLength(4)
  // Resumes after the state of Kalshi, before that of Polymarket.
  const half = served.webSocket(`${query}&after=${state[1]!.position}`)
  expect((await half.until(isOther)).map(({ venue, type }) => `${venue} ${type}`)).toEqual([
    ...['kalshi delta', 'polymarket begin', 'polymarket begin'],
  ])
  const behind = served.webSocket(`${query}&after=${delta.position}`)
  expect(await behind.next()).toEqual(change)
})

test('the messages of a query are read and encoded once for all its clients', async () => {
  await using served = new ServedStream({ config: { ...NO_TOKENS, connectionsMax: 99, connectionsPerKeyMax: 99 } })
  await load(served, 'a', { recv_ms: NOON, event: BOOK })
  const readers: StreamReader[] = []
  for (let i = 0; i < 20; i++) readers.push(served.webSocket(`${KALSHI}&channels=book`))
  for (let i = 0; i < 20; i++) readers.push(await served.events(`${KALSHI}&channels=book`))
  for (const reader of readers) await reader.until(({ type }) => type === 'book')
  const before = served.requests.length
  await load(served, 'b', kalshiDelta(10, '0.41', '7.00'))
  const received = await Promise.all(readers.map((reader) => reader.next()))
  expect(new Set(received.map((message) => JSON.stringify(message))).size).toBe(1)
  expect(served.requests.length - before).toBe(1)
})

const refusals: [query: string, status: number, code: string, detail: string][] = [
  [KALSHI, 400, 'parameters_invalid', 'channels is required'],
  [`${KALSHI}&channels=candles`, 400, 'parameters_invalid', 'records, trades, book or quotes, got "candles"'],
  [`${KALSHI}&channels=book,book`, 400, 'parameters_invalid', 'channels must name each once, got "book" twice'],
  ['channels=book', 400, 'parameters_invalid', 'markets is required unless event is given'],
  [`${KALSHI}&event=kalshi:X&channels=book`, 400, 'parameters_invalid', 'event cannot be combined with markets'],
  [`${KALSHI},${KALSHI.slice(8)}&channels=book`, 400, 'parameters_invalid', 'must name each once'],
  ['markets=nyse:IBM&channels=book', 400, 'parameters_invalid', 'got "nyse:IBM"'],
  ['markets=kalshi:KX-NONE&channels=book', 404, 'market_not_stored', 'the kalshi market KX-NONE'],
  ['event=kalshi:none&channels=book', 404, 'event_not_found', 'the kalshi event "none"'],
  [`${KALSHI}&channels=book&after=AAAA`, 400, 'cursor_invalid', 'after must be the position of a message'],
  [`${KALSHI}&channels=book&speed=1`, 400, 'parameters_invalid', 'speed is not a parameter'],
]

test.each(refusals)('refuses %s', async (query, status, code, detail) => {
  await using served = new ServedStream()
  await load(served, 'a', { recv_ms: NOON, event: BOOK })
  const response = await served.get(`/stream?${query}`)
  expect(response.status).toBe(status)
  const problem = (await response.json()) as { code: string; detail: string }
  expect(problem.code).toBe(code)
  expect(problem.detail).toContain(detail)
})

test.each(['starting', 'recording'] as const)(
  'with a recorder that is %s, an unknown market waits for its first record',
  async (state) => {
    const nowMs = () => NOON
    const recorder = (startedMs: number) => () => ({ state, ageMs: 0, status: { started_at: startedMs } }) as never
    for (const changes of [{ observe: { recorder: recorder(NOON - 60_000) } }, { hasRecorder: true }]) {
      await using served = new ServedStream({ ...changes, nowMs })
      const reader = served.webSocket(`${KALSHI}&channels=book`)
      expect((await reader.next()).type).toBe('begin')
      await load(served, 'a', { recv_ms: NOON, event: BOOK })
      const [last] = (await reader.until(({ type }) => type === 'snapshot')).slice(-1)
      expect(last).toMatchObject({ market: TICKER })
    }
    await using later = new ServedStream({ observe: { recorder: recorder(NOON - 120_000) }, nowMs })
    expect((await later.get(`/stream?${KALSHI}&channels=book`)).status).toBe(404)
  },
)

test('a position of another query, and a damaged one, are refused', async () => {
  await using served = new ServedStream()
  await load(served, 'a', { recv_ms: NOON, event: BOOK })
  const reader = await served.events(`${KALSHI}&channels=book`)
  const [, { position }] = (await reader.until(({ type }) => type === 'book')) as [unknown, { position: string }]
  const after = (query: string, given: string) => served.get(`/stream?${query}&after=${given}`)
  expect((await after(`${KALSHI}&channels=trades`, position)).status).toBe(400)
  const last = position.at(-5) === 'A' ? 'B' : 'A'
  expect((await after(`${KALSHI}&channels=book`, position.slice(0, -5) + last + position.slice(-4))).status).toBe(400)
})

test('a key for one venue reads no market of the other', async () => {
  const key = { keyId: 'key_1', secretSha256: 'aa', userId: 'user', plan: 'free', scopes: ['polymarket'] as const }
  const authenticate = () => ({ ok: true as const, key: { ...key, scopes: [...key.scopes] } })
  await using served = new ServedStream({ accounts: { ...fakeAccounts, authenticate } as never })
  await load(served, 'a', { recv_ms: NOON, event: BOOK })
  const response = await served.get(`/stream?${KALSHI}&channels=book`)
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([403, 'scope_missing'])
})

test('HEAD returns the headers of the stream and opens none; OPTIONS lists the allowed methods', async () => {
  await using served = new ServedStream({ config: { ...NO_TOKENS, connectionsPerKeyMax: 1 } })
  await load(served, 'a', { recv_ms: NOON, event: BOOK })
  const responseTo = (method: string, query: string) =>
    fetch(`${served.url}/api/v1/stream?${query}`, { method, headers: AUTHORIZED })
  for (let i = 0; i < 3; i++) {
    const { status, headers } = await responseTo('HEAD', `${KALSHI}&channels=book`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('no-store')
  }
  expect((await responseTo('HEAD', 'markets=kalshi:KX-NONE&channels=book')).status).toBe(404)
  expect((await responseTo('OPTIONS', '')).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  expect((await responseTo('POST', '')).status).toBe(405)
})

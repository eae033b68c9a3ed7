// Replays every record of a stored day in both protocols and as records. All records arrive deep-equal and in order.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { KALSHI_PATH } from '../../../src/replay/venues/kalshi/protocol.ts'
import { POLYMARKET_PATH } from '../../../src/replay/venues/polymarket/protocol.ts'
import { RECORDS_PATH } from '../../../src/replay-endpoints.ts'
import { syntheticDay } from '../../../workers/synthetic/synthetic-day.ts'
import { ReplayClient, type ReplayServer, serveReplay } from '../../support/replay/replay-server.ts'
import { type StoredRecord, TestStore } from '../../support/store.ts'

const DATE = '2026-07-20'
const DAY = syntheticDay({ date: DATE, kalshiRecords: 12_000, polymarketRecords: 6_000 })
const WHOLE_DAY = `from=${DATE}&to=${DATE}&speed=0`

let store: TestStore
let server: ReplayServer
let tickers: string[]
let conditions: string[]

beforeAll(async () => {
  store = new TestStore()
  await store.loadLines('kalshi.ndjson', [...DAY.kalshiLines])
  await store.loadLines('polymarket.ndjson', [...DAY.polymarketLines])
  server = serveReplay(store.store)
  const page = { prefix: '', offset: 0, limit: 1_000 }
  tickers = (await store.store.catalogue.markets('kalshi', page)).markets
  conditions = (await store.store.catalogue.markets('polymarket', page)).markets
})

afterAll(async () => {
  server[Symbol.dispose]()
  await store.close()
})

/** Returns records by event time. Records with equal times have the order of the markets. */
async function merged(venue: 'kalshi' | 'polymarket', markets: readonly string[]): Promise<StoredRecord[]> {
  const all = await Promise.all(markets.map((market) => store.records(venue, market, DATE)))
  return all.flat().sort((a, b) => a.timestamp - b.timestamp)
}

test('Kalshi: one connection, all markets, two channels', async () => {
  const client = new ReplayClient(`${server.url}${KALSHI_PATH}?${WHOLE_DAY}`)
  const params = { channels: ['orderbook_delta', 'trade'], market_tickers: tickers }
  await client.send({ id: 1, cmd: 'subscribe', params })
  expect(await client.closed).toEqual({ code: 1000, reason: 'the replay has ended' })
  const [first, second, ...rest] = client.messages
  expect([first, second]).toEqual([
    { id: 1, type: 'subscribed', msg: { channel: 'orderbook_delta', sid: 1 } },
    { id: 1, type: 'subscribed', msg: { channel: 'trade', sid: 2 } },
  ])
  const expected = await merged('kalshi', tickers)
  expect(rest.length).toBe(expected.length)
  const types = { snapshot: 'orderbook_snapshot', delta: 'orderbook_delta', trade: 'trade' } as Record<string, string>
  const seqs = new Map<unknown, number>()
  for (const [i, { type, msg }] of expected.entries()) {
    const sid = type === 'trade' ? 2 : 1
    const seq = (seqs.get(sid) ?? 0) + 1
    seqs.set(sid, seq)
    expect(rest[i]).toEqual({ type: types[type]!, sid, seq, msg })
  }
})

test('Polymarket: one connection, all tokens, stamped', async () => {
  const books = await Promise.all(conditions.map((id) => store.records('polymarket', id, DATE)))
  const tokens = [...new Set(books.flat().map(({ asset_id: asset }) => asset as string))]
  const client = new ReplayClient(`${server.url}/api/v1${POLYMARKET_PATH}?${WHOLE_DAY}`, {
    protocols: ['backbook-stamped'],
  })
  await client.send({ type: 'market', assets_ids: tokens })
  expect((await client.closed).code).toBe(1000)
  expect(client.socket.protocol).toBe('backbook-stamped')
  const expected = await merged('polymarket', conditions)
  const got = client.frames.map((frame) => {
    const end = frame.indexOf('\n')
    const [timestamp, received] = frame.slice(0, end).split(' ')
    return { timestamp: Number(timestamp), received, msg: JSON.parse(frame.slice(end + 1)) as object }
  })
  expect(got.length).toBe(expected.length)
  for (const [i, { timestamp, received_at: received, msg }] of expected.entries()) {
    expect(got[i]).toEqual({ timestamp, received: received === null ? '-' : String(received), msg })
  }
})

test('records of both venues in one order, which load again', async () => {
  const markets = [...tickers.map((id) => `kalshi:${id}`), ...conditions.map((id) => `polymarket:${id}`)]
  const client = new ReplayClient(`${server.url}${RECORDS_PATH}?${WHOLE_DAY}&markets=${markets.join(',')}`)
  expect((await client.closed).code).toBe(1000)
  const own = async (venue: 'kalshi' | 'polymarket', ids: string[]) =>
    Promise.all(
      ids.map(async (market) =>
        (await store.records(venue, market, DATE)).map((record) => ({ venue, market, ...record })),
      ),
    )
  const all = [...(await own('kalshi', tickers)), ...(await own('polymarket', conditions))].flat()
  const expected = all.sort((a, b) => a.timestamp - b.timestamp)
  const got = client.messages
  expect(got.length).toBe(expected.length)
  for (const [i, record] of expected.entries()) expect(got[i]).toEqual(record as never)

  const again = new TestStore()
  await again.loadLines('replayed.ndjson', client.frames)
  for (const market of tickers)
    expect(await again.records('kalshi', market, DATE)).toEqual(await store.records('kalshi', market, DATE))
  for (const market of conditions) {
    expect(await again.records('polymarket', market, DATE)).toEqual(await store.records('polymarket', market, DATE))
  }
  await again.close()
})

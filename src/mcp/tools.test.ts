// Tests the tools: what each requests from the server, and what it shows of the answer.

import { expect, test } from 'bun:test'
import { type Query, type Rows, ServerClient } from './server-client.ts'
import { TOOLS } from './tools.ts'

/** A server that answers each path with the same JSON or rows, and records the requests. */
class MadeServer extends ServerClient {
  readonly requests: [path: string, query: Query, rowsMax?: number][] = []
  readonly #answers: Record<string, unknown>

  constructor(answers: Record<string, unknown>) {
    super({ get: () => Promise.reject(new Error('not asked here')) })
    this.#answers = answers
  }

  override async json<Answer>(path: string, query: Query): Promise<Answer> {
    this.requests.push([path, query])
    return this.#answers[path] as Answer
  }

  override async rows(path: string, query: Query, rowsMax: number): Promise<Rows> {
    this.requests.push([path, query, rowsMax])
    return this.#answers[path] as Rows
  }
}

const ask = (name: string, server: MadeServer, given: object) =>
  TOOLS.find((tool) => tool.name === name)!.answer(server, given)

const KALSHI = { venue: 'kalshi', market: 'KX' }
const TIME = Date.parse('2026-08-10T12:00:00Z')

test('search requests one market more than it shows', async () => {
  const market = (id: string) => ({ market: id, slug: 's', event: { title: 'E' }, outcomes: [{ outcome: 'Yes' }] })
  const token = { ...market('c'), outcomes: [{ outcome: 'Up', asset_id: '11' }] }
  const server = new MadeServer({ search: { data: [token, market('a'), market('b')] } })
  expect(await ask('search', server, { q: 'x', limit: 2 })).toBe(
    'More markets match than these 2: use more words, or a higher limit.\n' +
      '[{"market":"c","event":"E","outcomes":[{"outcome":"Up","asset_id":"11"}]},' +
      '{"market":"a","event":"E","outcomes":["Yes"]}]',
  )
  expect(await ask('search', server, { q: 'x', limit: 3 })).toStartWith('[{')
  expect(server.requests.map(([, { limit }]) => limit)).toEqual([3, 4])
})

test('coverage shows the newest dates of a range, and the first ten gaps of each', async () => {
  const gaps = Array.from({ length: 11 }, (_, n) => ({ from: TIME + n }))
  const day = (date: string, own: object[] = []) => ({ date, books: [1, 2], gaps: own, inferred_gaps: [] })
  const dates = [day('2026-08-09'), day('2026-08-10'), day('2026-08-11', gaps), day('2026-08-12')]
  const server = new MadeServer({ 'kalshi/market/coverage': { has_data: true, dates } })
  const text = await ask('coverage', server, { ...KALSHI, from: '2026-08-10', to: '2026-08-11', limit: 1 })
  const [more, json] = text.split('\n')
  expect(more).toBe('2 dates are stored, these are the last 1: give from and to.')
  const [shown] = JSON.parse(json!).dates
  expect(shown).toMatchObject({ date: '2026-08-11', books: 2, gaps_in_all: 11, inferred_gaps: [] })
  expect([shown.gaps.length, shown.gaps[0].from]).toEqual([10, '2026-08-10T12:00:00.000Z'])
  expect(JSON.parse(await ask('coverage', server, KALSHI)).dates).toHaveLength(4)
})

test.each([
  [{ date: '2026-08-10' }, 900],
  [{ start: TIME, end: TIME + 199_999 }, 1],
  [{ start: TIME, end: TIME + 201_000 }, 5],
  [{ start: TIME, end: TIME + 86_400_000 * 99 }, 3_600],
  [{ date: '2026-08-10', resolution: 7 }, 7],
])('candles of %j have buckets of %d s', async (window, resolution) => {
  const rows = { lines: ['timestamp,a', `${TIME},1`], total: 1, hasMore: false, nextCursor: null }
  const server = new MadeServer({ 'kalshi/market/orderbook-summary': rows, 'kalshi/market/coverage': {} })
  const text = await ask('candles', server, { ...KALSHI, ...window })
  expect(text).toBe(`Buckets of ${resolution} s: 1.\ntimestamp,a\n2026-08-10T12:00:00.000Z,1`)
  expect(server.requests[0]).toMatchObject(['kalshi/market/orderbook-summary', { ticker: 'KX', resolution }, 200])
})

test('book shows the best levels of each side, and says whether there are more', async () => {
  const answer = { as_of: TIME, bids: [[1], [2], [3]], asks: [[4]] }
  const server = new MadeServer({ 'kalshi/market/book': answer })
  expect(await ask('book', server, { ...KALSHI, depth: 2, at: TIME })).toBe(
    'There are more levels than these 2 of a side: ask with a higher depth.\n' +
      '{"as_of":"2026-08-10T12:00:00.000Z","bids":[[1],[2]],"asks":[[4]]}',
  )
  expect(await ask('book', server, { ...KALSHI, depth: 3 })).toStartWith('{"as_of"')
  expect(server.requests.map(([, { depth, timestamp }]) => [depth, timestamp])).toEqual([
    [3, TIME],
    [4, undefined],
  ])
})

test('trades continue with a cursor, and name their token if there are several', async () => {
  const rows = { lines: ['timestamp,a', `${TIME},1`], total: 9, hasMore: true, nextCursor: 'abc' }
  const server = new MadeServer({ 'kalshi/market/trades': rows, 'polymarket/market/trades': rows })
  expect(await ask('trades', server, { ...KALSHI, date: '2026-08-10', limit: 1 })).toStartWith(
    'Trades: 1. There are more. Ask the same with cursor "abc", or about less time.\ntimestamp,a\n',
  )
  await ask('trades', server, { venue: 'polymarket', market: '0x1', date: '2026-08-10' })
  expect(server.requests.map(([, { columns, limit }]) => [columns, limit])).toEqual([
    ['timestamp,price,size,side,trade_id', 1],
    ['timestamp,asset_id,price,size,side,trade_id', 100],
  ])
})

test('a tool refuses arguments that it does not have', async () => {
  await expect(ask('search', new MadeServer({}), { q: 'x', limit: 51 })).rejects.toThrow('limit: expected integer')
  await expect(ask('book', new MadeServer({}), { ...KALSHI, date: '2026-08-10' })).rejects.toThrow('date: unexpected')
})

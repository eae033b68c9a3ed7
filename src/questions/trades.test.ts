// Tests trades over HTTP. Pages continue exactly where the last one ended, even while data arrives. The sums of a
// summary are exact. Every format has the cursor and the envelope.

import { afterAll, describe, expect, test } from 'bun:test'
import { CONDITION, DAY, NOON, TICKER } from '../../test/model/lines.ts'
import { arrowRows, csvRows, parquetRows } from '../../test/support/compare/row-formats.ts'
import { AUTHORIZED, fakeWorkers, testApp } from '../../test/support/server.ts'
import { TestStore } from '../../test/support/store.ts'
import { answerInProcess } from '../../workers/pool/answer-in-process.ts'

type Body = Record<string, unknown> & { data: Record<string, unknown>[]; next_cursor?: string | null; code?: string }

const DAY_START = Date.parse(DAY)
const [A, B] = ['111', '222']
const kalshi = (second: number, price: string, size: string, side?: string) => ({
  type: 'trade',
  sid: 2,
  seq: second,
  msg: {
    market_ticker: TICKER,
    trade_id: `t${second}`,
    yes_price_dollars: price,
    count_fp: size,
    ts_ms: NOON + second * 1_000,
    ...(side === undefined ? {} : { taker_side: side }),
  },
})
const polymarket = (second: number, asset_id: string, price: string, size: string, side: string) => ({
  event_type: 'last_trade_price',
  market: CONDITION,
  asset_id,
  price,
  size,
  side,
  transaction_hash: `0x${second}`,
  timestamp: String(NOON + second * 1_000),
})
const LINES = [
  kalshi(0, '0.4000', '10.00', 'yes'),
  kalshi(1, '0.4200', '5.00', 'no'),
  kalshi(2, '0.4100', '0.50'),
  kalshi(3, 'none', '7.00', 'no'),
  kalshi(61, '0.3900', '0.00', 'no'),
  kalshi(200, '0.9999', '9000000000.01', 'yes'),
  kalshi(201, '0.0001', '9000000000.01', 'no'),
  polymarket(0, A, '0.515', '216.216215', 'BUY'),
  polymarket(0, B, '0.485', '1', 'SELL'),
  polymarket(3, A, '0.6', '2', 'SELL'),
]

async function serve() {
  const store = new TestStore()
  const load = async (name: string, lines: object[]) => {
    await store.loadLines(
      name,
      lines.map((line) => JSON.stringify(line)),
    )
  }
  await load('first', LINES)
  const workers = { ...fakeWorkers(), ...answerInProcess(store.store) }
  const app = testApp({ catalogue: store.store.catalogue, workers, nowMs: () => Date.parse('2026-09-01') })
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.fetch(new Request(`http://localhost${path}`, { method, headers: { ...AUTHORIZED, ...headers } }))
  const json = async (path: string) => (await (await get(path)).json()) as Body
  return { store, load, get, json }
}

const shared = await serve()
afterAll(() => shared.store.close())
const { get, json } = shared
const TRADES = `/kalshi/market/trades?ticker=${TICKER}&date=${DAY}`
const TOKENS = `/polymarket/market/trades?condition_id=${CONDITION}&date=${DAY}`
const SUMMARY = `/kalshi/market/trade-summary?ticker=${TICKER}`

describe('trades', () => {
  test('are listed with their record numbers, except trades that cannot be read', async () => {
    const { data, ...envelope } = await json(`${TRADES}&limit=2`)
    expect(envelope).toMatchObject({ market_ticker: TICKER, date: DAY, limit: 2, data_count: 2, has_more: true })
    const [ticker, trade_id] = [TICKER, 't0']
    expect(data[0]).toEqual({ timestamp: NOON, ticker, price: 0.4, size: 10, side: 'buy', trade_id, record: 0 })
    expect((await json(TRADES)).data.map(({ record }) => record)).toEqual([0, 1, 2, 4, 5, 6])
    expect(await json(`/api/v1${TRADES}`)).toEqual(await json(TRADES))
  })

  test('of Polymarket are those of all tokens, or of one', async () => {
    const [first, second, third] = (await json(TOKENS)).data
    expect([first?.['asset_id'], second?.['asset_id'], third?.['asset_id']]).toEqual([A, B, A])
    expect(first).toMatchObject({ price: 0.515, size: 216.216215, side: 'buy', trade_id: '0x0' })
    const ofOne = await json(`${TOKENS}&asset_id=${A}`)
    expect(ofOne).toMatchObject({ market_condition_id: CONDITION, asset_id: A, data: [first, third] })
    const unknown = await json(`${TOKENS}&asset_id=9`)
    expect(unknown.code).toBe('asset_not_stored')
  })

  test('continue with a cursor, in any format', async () => {
    const all = (await json(TRADES)).data
    for (const limit of [1, 2, 3, 5, 6]) {
      const pages: object[] = []
      let cursor = ''
      for (let page = 0; page * limit < all.length; page++) {
        const path = `${TRADES}&limit=${limit}${cursor}`
        const { data, next_cursor, has_more } = await json(path)
        const arrow = await get(`${path}&format=arrow`)
        const inHeader = arrow.headers.get('x-next-cursor')
        const { metadata } = arrowRows(await arrow.arrayBuffer())
        expect([inHeader, metadata.get('backbook.next_cursor') ?? null]).toEqual([next_cursor!, next_cursor!])
        expect(has_more).toBe(next_cursor !== null)
        pages.push(...data)
        cursor = `&cursor=${next_cursor}`
      }
      expect(pages).toEqual(all)
      expect(cursor).toBe('&cursor=null')
    }
  })

  test('have the same cells in flat formats, also with chosen columns', async () => {
    const rows = (await json(TRADES)).data.map((row) => ({ market: TICKER, ...row }))
    const csv = await get(`${TRADES}&format=csv`)
    expect(csvRows(await csv.text(), ['market', 'ticker', 'side', 'trade_id']) as object[]).toEqual(rows)
    const parquet = await parquetRows(await (await get(`${TRADES}&format=parquet`)).arrayBuffer())
    expect(parquet.rows as object[]).toEqual(rows)
    const some = arrowRows(await (await get(`${TRADES}&format=arrow&columns=price,record`)).arrayBuffer()).rows
    expect(some as object[]).toEqual(rows.map(({ price, record }: Record<string, unknown>) => ({ price, record })))
  })

  test('have entity tags, and answer HEAD', async () => {
    const tag = (await get(TRADES)).headers.get('etag')!
    expect((await get(TRADES, { 'if-none-match': tag })).status).toBe(304)
    const head = await get(TRADES, {}, 'HEAD')
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, ''])
    expect((await get(`${TRADES}&limit=3`)).headers.get('etag')).not.toBe(tag)
  })

  test('a cursor stays exact while trades come after it, and is refused when some come before', async () => {
    const { store, load, json: ask } = await serve()
    const cursor = (await ask(`${TRADES}&limit=3`)).next_cursor
    await load('later', [kalshi(62, '0.3900', '1.00'), kalshi(300, '0.5000', '1.00')])
    const rest = await ask(`${TRADES}&cursor=${cursor}`)
    expect(rest.data.map(({ trade_id }) => trade_id)).toEqual(['t61', 't62', 't200', 't201', 't300'])
    await load('earlier', [kalshi(-5, '0.3900', '1.00')])
    expect((await ask(`${TRADES}&cursor=${cursor}`)).code).toBe('cursor_stale')
    const window = TRADES.replace(`date=${DAY}`, `start_timestamp=${NOON}&end_timestamp=${NOON + 1}`)
    expect((await ask(`${window}&cursor=${cursor}`)).code).toBe('cursor_invalid')
    const raw = `/kalshi/market/data/range?ticker=${TICKER}`
    const bounds = `&start_timestamp=${DAY_START}&end_timestamp=${DAY_START + 86_399_999}`
    expect((await ask(`${raw}${bounds}&cursor=${cursor}`)).code).toBe('cursor_invalid')
    await store.close()
  })

  test('are an empty list for a date without trades', async () => {
    const none = { data_count: 0, has_more: false, next_cursor: null, data: [] }
    expect(await json(TRADES.replace(DAY, '2026-08-12'))).toMatchObject(none)
    const arrow = await get(`${TRADES.replace(DAY, '2026-08-12')}&format=arrow`)
    expect(arrowRows(await arrow.arrayBuffer()).rows).toEqual([])
  })
})

describe('a summary of trades', () => {
  const nothing = { open: null, high: null, low: null, close: null, vwap: null }
  const sums = { volume: 0, buy_volume: 0, sell_volume: 0, notional: 0, trade_count: 0, buy_count: 0, sell_count: 0 }
  const FIRST = {
    ...{ open: 0.4, high: 0.42, low: 0.4, close: 0.41, vwap: 6.305 / 15.5, volume: 15.5, buy_volume: 10 },
    ...{ sell_volume: 5, notional: 6.305, trade_count: 3, buy_count: 1, sell_count: 1 },
  }
  const SECOND = { ...nothing, ...sums, open: 0.39, high: 0.39, low: 0.39, close: 0.39, trade_count: 1, sell_count: 1 }

  test('has only buckets with trades, and exact sums', async () => {
    const { data, ...envelope } = await json(`${SUMMARY}&date=${DAY}`)
    expect(envelope).toEqual({ market_ticker: TICKER, date: DAY, resolution_seconds: 60, data_points: 3 })
    expect(data.slice(0, 2)).toEqual([
      { timestamp: NOON, ...FIRST },
      { timestamp: NOON + 60_000, ...SECOND },
    ])
    // Two trades of 9,000,000,000.01 contracts each, at prices that add up to a dollar.
    const [volume, notional] = [18_000_000_000.02, 9_000_000_000.01]
    expect(data[2]).toMatchObject({ timestamp: NOON + 180_000, volume, notional, vwap: notional / volume, low: 0.0001 })
  })

  test('with fill=range has empty buckets too, and times in the unit of the bounds', async () => {
    const start = NOON / 1_000
    const path = `${SUMMARY}&start_timestamp=${start}&end_timestamp=${start + 179}&fill=range`
    const rows = [
      { timestamp: start, ...FIRST },
      { timestamp: start + 60, ...SECOND },
      { timestamp: start + 120, ...nothing, ...sums },
    ]
    expect((await json(path)).data).toEqual(rows)
    const all = await json(`${SUMMARY}&date=${DAY}&fill=range`)
    expect(all['data_points']).toBe(1_440)
    expect((await json(`${SUMMARY}&date=2026-08-12&fill=range`)).data).toEqual([])
    const csv = csvRows(await (await get(`${path}&format=csv`)).text(), ['market'])
    expect(csv as object[]).toEqual(rows.map((row) => ({ market: TICKER, ...row })))
  })

  test('of a range that begins within a bucket omits that bucket, and ends with the range', async () => {
    const path = `${SUMMARY}&start_timestamp=${NOON + 1}&end_timestamp=${NOON + 200_000}`
    const { data } = await json(path)
    expect(data.map(({ timestamp, trade_count }) => [timestamp, trade_count])).toEqual([
      [NOON + 60_000, 1],
      [NOON + 180_000, 1],
    ])
  })

  test('covers one token on Polymarket, and requires it', async () => {
    const path = `/polymarket/market/trade-summary?condition_id=${CONDITION}&date=${DAY}&resolution=3600`
    const [bucket] = (await json(`${path}&asset_id=${A}`)).data
    const notional = 0.515 * 216.216215 + 1.2
    expect(bucket).toMatchObject({ volume: 218.216215, buy_volume: 216.216215, sell_volume: 2 })
    expect(bucket?.['notional']).toBeCloseTo(notional, 9)
    expect((await json(path)).code).toBe('parameters_invalid')
  })
})

// Tests trades and their candles on the smallest capture that shows each rule. All expected values are worked out by
// hand.

import { describe, expect, test } from 'bun:test'
import { CONDITION, capture, DAY, kalshiDelta, NOON, priceChange, TICKER } from '../lines.ts'
import * as made from './made-lines.ts'

const { askKalshi, askPolymarket, kalshiFill, kalshiPrint, polymarketFill } = made

const kalshiRows = async (lines: object[], query: Record<string, string> = { date: DAY }) =>
  (await askKalshi([capture(...(lines as []))], 'trades', query))['data']
const polymarketRows = async (lines: object[], query: Record<string, string> = { date: DAY }) =>
  (await askPolymarket([capture(...(lines as []))], 'trades', query))['data']

const row = { timestamp: NOON, ticker: TICKER, price: 0.31, size: 1.88, side: 'sell', trade_id: 't0', record: 0 }

describe('a trade of Kalshi', () => {
  test('in dollars of YES: a taker of YES buys, of NO sells', async () => {
    expect(await kalshiRows([kalshiFill(0, '0.3100', '1.88', 'no')])).toEqual([row])
    expect(await kalshiRows([kalshiFill(0, '0.3100', '1.88', 'yes')])).toEqual([{ ...row, side: 'buy' }])
    const bySide = {
      trade_id: 't0',
      yes_price_dollars: '0.31',
      count_fp: '1.88',
      taker_side: null,
      taker_book_side: 'bid',
    }
    expect(await kalshiRows([kalshiPrint(0, bySide)])).toEqual([{ ...row, side: 'buy' }])
  })
  test('in cents of older archives, and between cents', async () => {
    expect(await kalshiRows([kalshiPrint(0, { trade_id: 't0', yes_price: 48, no_price: 52, count: 3 })])).toEqual([
      { ...row, price: 0.48, size: 3, side: null },
    ])
    expect(await kalshiRows([kalshiFill(0, '0.4195', '0.000001', null)])).toEqual([
      { ...row, price: 0.4195, size: 0.000001, side: null },
    ])
  })
  test('of the flat form', async () => {
    const flat = { type: 'trade', ticker: TICKER, timestamp: new Date(NOON).toISOString(), taker_side: 'yes' }
    const fields = { side: 'buy', trade_id: null }
    expect(await kalshiRows([{ ...flat, price: 0.49, count: 2 }])).toEqual([
      { ...row, ...fields, price: 0.49, size: 2 },
    ])
    expect(await kalshiRows([{ ...flat, price: 49, count: 2 }])).toEqual([{ ...row, ...fields, price: 0.49, size: 2 }])
  })
  test('that cannot be read is not listed, but still counts as a place', async () => {
    const unread = [
      { count_fp: '1' },
      { yes_price_dollars: '0.3' },
      { yes_price_dollars: '1.01', count_fp: '1' },
      { yes_price_dollars: '0.3', count_fp: '-1' },
      { yes_price_dollars: '0.3', count_fp: '0.0000001' },
    ]
    const lines = [...unread.map((msg, i) => kalshiPrint(i, msg)), kalshiFill(9, '0.3', '0', 'yes')]
    expect(await kalshiRows(lines)).toEqual([
      { ...row, trade_id: 't9', timestamp: NOON + 9, price: 0.3, size: 0, side: 'buy', record: 5 },
    ])
  })
})

describe('a trade of Polymarket', () => {
  const lines = [
    polymarketFill(0, '0.48', '216.216215', 'SELL', { transaction_hash: '0xab' }),
    priceChange(1, { price: '0.1', size: '1' }),
    { ...polymarketFill(1, '0.52', '5', 'BUY'), asset_id: 'B' },
  ]
  const ofA = {
    timestamp: NOON,
    asset_id: 'A',
    price: 0.48,
    size: 216.216215,
    side: 'sell',
    trade_id: '0xab',
    record: 0,
  }
  const ofB = { timestamp: NOON + 1, asset_id: 'B', price: 0.52, size: 5, side: 'buy', trade_id: null, record: 2 }
  test('of one asset, or of all', async () => {
    expect(await polymarketRows(lines)).toEqual([ofA])
    const all = made.asking(capture(...lines))
    expect(await all('/polymarket/market/trades', { condition_id: CONDITION, date: DAY })).toMatchObject({
      data: [ofA, ofB],
    })
  })
  test('in pages', async () => {
    const all = made.asking(capture(...lines))
    const query = { condition_id: CONDITION, date: DAY, limit: '1' }
    const first = await all('/polymarket/market/trades', query)
    expect(first).toMatchObject({ data: [ofA], data_count: 1, has_more: true })
    const second = await all('/polymarket/market/trades', { ...query, cursor: String(first['next_cursor']) })
    expect(second).toMatchObject({ data: [ofB], data_count: 1, has_more: false, next_cursor: null })
  })
  test('in a window, both ends included', async () => {
    expect(await polymarketRows(lines, made.window(0, 0))).toEqual([ofA])
    expect(await polymarketRows(lines, made.window(1, 1))).toEqual([])
  })
})

describe('candles of trades', () => {
  const fills = [
    kalshiFill(100, '0.40', '10', 'yes'),
    kalshiFill(200, '0.43', '0.1', 'no'),
    kalshiFill(300, '0.39', '0.2', null),
    kalshiDelta(400, '0.4', '1'),
    kalshiFill(2_500, '0.4195', '2.5', 'no'),
  ]
  const candles = async (query: Record<string, string>, lines: object[] = fills) =>
    (await askKalshi([capture(...(lines as []))], 'trade-summary', { resolution: '1', ...query }))['data']
  // 10 × 0.40 + 0.1 × 0.43 + 0.2 × 0.39 = 4 + 0.043 + 0.078, over 10.3 contracts.
  const first = {
    timestamp: NOON,
    ...{
      open: 0.4,
      high: 0.43,
      low: 0.39,
      close: 0.39,
      vwap: 4.121 / 10.3,
      volume: 10.3,
      buy_volume: 10,
      sell_volume: 0.1,
    },
    ...{ notional: 4.121, trade_count: 3, buy_count: 1, sell_count: 1 },
  }
  const third = {
    timestamp: NOON + 2_000,
    ...{ open: 0.4195, high: 0.4195, low: 0.4195, close: 0.4195, vwap: 1.04875 / 2.5, volume: 2.5, buy_volume: 0 },
    ...{ sell_volume: 2.5, notional: 1.04875, trade_count: 1, buy_count: 0, sell_count: 1 },
  }
  const empty = {
    ...{ open: null, high: null, low: null, close: null, vwap: null, volume: 0, buy_volume: 0, sell_volume: 0 },
    ...{ notional: 0, trade_count: 0, buy_count: 0, sell_count: 0 },
  }
  test('of a date: buckets with trades', async () => expect(await candles({ date: DAY })).toEqual([first, third]))
  test('of a whole range: includes buckets without trades, but no dates that are not stored', async () => {
    const range = { ...made.window(-1_500, 3_000), fill: 'range' }
    const at = (ms: number) => ({ timestamp: NOON + ms, ...empty })
    expect(await candles(range)).toEqual([at(-1_000), first, at(1_000), third, at(3_000)])
    expect(await candles({ date: DAY, resolution: '3600', fill: 'range' })).toHaveLength(24)
    expect(await candles({ date: '2026-08-11', resolution: '3600', fill: 'range' })).toEqual([])
    const days = { start_timestamp: String(NOON), end_timestamp: String(NOON + made.DAY_MS), fill: 'range' }
    expect(await candles({ ...days, resolution: '3600' })).toHaveLength(12)
  })
  test('cut by a window: its first bucket begins in it, its last ends with it', async () => {
    expect(await candles(made.window(1, 2_499))).toEqual([])
    expect(await candles(made.window(0, 200))).toEqual([
      {
        timestamp: NOON,
        ...{ open: 0.4, high: 0.43, low: 0.4, close: 0.43, vwap: 4.043 / 10.1, volume: 10.1, buy_volume: 10 },
        ...{ sell_volume: 0.1, notional: 4.043, trade_count: 2, buy_count: 1, sell_count: 1 },
      },
    ])
  })
  test('of a window in seconds are labelled in seconds', async () => {
    const second = NOON / 1_000
    const bounds = { start_timestamp: String(second), end_timestamp: String(second) }
    expect(await candles(bounds)).toEqual([{ ...first, timestamp: second }])
  })
  test('sums are exact, and a bucket without trades has no price by volume', async () => {
    const tenths = Array.from({ length: 10 }, (_, i) => kalshiFill(i, '0.1', '0.1', 'yes'))
    expect(await candles({ date: DAY }, tenths)).toMatchObject([{ volume: 1, notional: 0.1, vwap: 0.1, buy_volume: 1 }])
    expect(await candles({ date: DAY }, [kalshiFill(0, '0.1', '0', 'yes')])).toMatchObject([
      { open: 0.1, close: 0.1, vwap: null, volume: 0, trade_count: 1 },
    ])
  })
})

// Tests the lines of a Kalshi recorder, character for character.

import { expect, test } from 'bun:test'
import { KalshiFeed } from './kalshi-feed.ts'
import { MarketModel } from './market-model.ts'
import { Random } from './random.ts'

const AT_US = Date.UTC(2026, 6, 20, 1, 2, 3) * 1_000
const SHAPE = { tickMilli: 10, halfSpreadMilli: 4, levelsMin: 2, levelsMax: 4, lotCenti: 100 }
const feed = new KalshiFeed(new Random(1, 'feed'))
const market = { ticker: 'KXDEMO', id: 'id', model: new MarketModel(new Random(1, 'model'), SHAPE, 500) }
const deltaTime = (atUs: number) => {
  const change = { side: 'no', priceMilli: 45, deltaCenti: -205 } as const
  const [line] = feed.activity(market, { changes: [change], fills: [] }, atUs)
  return JSON.parse(line!).event.msg
}

test('KalshiFeed writes snapshots without a time, and without the keys of empty sides', () => {
  const { recv_ms, event } = JSON.parse(feed.snapshot(market, AT_US / 1_000))
  expect(recv_ms).toBeGreaterThan(AT_US / 1_000)
  expect(event).toMatchObject({ type: 'orderbook_snapshot', sid: 1, seq: 1 })
  expect(Object.keys(event.msg)).toEqual(['market_ticker', 'market_id', 'yes_dollars_fp', 'no_dollars_fp'])
  expect(event.msg.yes_dollars_fp.at(-1)[0]).toBe('0.4900')
  expect(JSON.parse(feed.emptySnapshot(market, AT_US / 1_000)).event).toEqual({
    type: 'orderbook_snapshot',
    sid: 1,
    seq: 2,
    msg: { market_ticker: 'KXDEMO', market_id: 'id' },
  })
})

test('KalshiFeed writes deltas with the microsecond, its zeros cut', () => {
  expect(deltaTime(AT_US + 120_450)).toEqual({
    market_ticker: 'KXDEMO',
    market_id: 'id',
    price_dollars: '0.0450',
    delta_fp: '-2.05',
    side: 'no',
    ts: '2026-07-20T01:02:03.12045Z',
    ts_ms: AT_US / 1_000 + 120,
  })
  expect(deltaTime(AT_US).ts).toBe('2026-07-20T01:02:03Z')
  expect(deltaTime(AT_US + 60).ts).toBe('2026-07-20T01:02:03.00006Z')
})

test('KalshiFeed writes a trade from the view of the taker, in a sequence of its own', () => {
  const fill = { side: 'no', priceMilli: 690, sizeCenti: 188 } as const
  const [line] = feed.activity(market, { changes: [], fills: [fill] }, AT_US + 130_000)
  const { event } = JSON.parse(line!)
  expect(event).toEqual({
    type: 'trade',
    sid: 2,
    seq: 1,
    msg: {
      trade_id: event.msg.trade_id,
      market_ticker: 'KXDEMO',
      yes_price_dollars: '0.3100',
      no_price_dollars: '0.6900',
      count_fp: '1.88',
      taker_side: 'yes',
      taker_outcome_side: 'yes',
      taker_book_side: 'bid',
      ts: AT_US / 1_000_000,
      ts_ms: AT_US / 1_000 + 130,
    },
  })
})

test('KalshiFeed counts from 1 again on a new connection', () => {
  feed.reconnect()
  expect(JSON.parse(feed.snapshot(market, AT_US / 1_000)).event.seq).toBe(1)
})

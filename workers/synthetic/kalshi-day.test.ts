// Replays the Kalshi day with the simplest possible book.

import { describe, expect, test } from 'bun:test'
import { kalshiBusyTicker, kalshiDay } from './kalshi-day.ts'

type Msg = {
  market_ticker: string
  yes_dollars_fp?: [string, string][]
  no_dollars_fp?: [string, string][]
  price_dollars: string
  delta_fp: string
  side: 'yes' | 'no'
  ts: string
  ts_ms: number
  yes_price_dollars: string
  no_price_dollars: string
  count_fp: string
  taker_side: 'yes' | 'no'
}
type Line = { recv_ms: number; event: { type: string; sid: number; seq: number; msg: Msg } }
type Side = Map<number, number>

const DATE = '2026-07-20'
const dayMs = Date.parse(DATE)
const milli = (price: string) => Math.round(Number(price) * 1_000)
const centi = (count: string) => Math.round(Number(count) * 100)
const side = (levels: [string, string][] = []): Side =>
  new Map(levels.map(([price, count]) => [milli(price), centi(count)]))
const best = (levels: Side) => Math.max(0, ...levels.keys())

describe.each([
  { seed: 1, records: 40_000 },
  { seed: 2, records: 2_000 },
])('kalshiDay with seed $seed and $records records', ({ seed, records }) => {
  const lines = Array.from(kalshiDay({ date: DATE, seed, records }), (line) => JSON.parse(line) as Line)
  const of = (type: string) => lines.filter(({ event }) => event.type === type)

  test('has about as many lines as requested, in the order of receipt, all of one date', () => {
    expect(Math.abs(lines.length - records)).toBeLessThan(records / 50 + 20)
    let receivedMs = dayMs
    for (const { recv_ms } of lines) {
      expect(recv_ms).toBeGreaterThanOrEqual(receivedMs)
      receivedMs = recv_ms
    }
    expect(receivedMs).toBeWithin(dayMs + 84_000_000, dayMs + 86_400_100)
  })

  test('has venue times that never step back, and the same in both forms', () => {
    let atMs = dayMs
    for (const { recv_ms, event } of of('orderbook_delta')) {
      const { ts, ts_ms } = event.msg
      expect(ts).toMatch(/^[-\d]+T[:\d]+(\.\d{0,5}[1-9])?Z$/)
      expect(Date.parse(ts.replace(/(\.\d{3})\d+Z$/, '$1Z'))).toBe(ts_ms)
      expect(ts_ms).toBeWithin(atMs, dayMs + 86_400_000)
      expect(recv_ms - ts_ms).toBeWithin(10, 100)
      atMs = ts_ms
    }
  })

  test('counts each subscription without a hole, and from 1 again exactly once', () => {
    const next = new Map([
      [1, 1],
      [2, 1],
    ])
    let restarts = 0
    for (const { event } of lines) {
      if (event.seq === 1 && next.get(event.sid) !== 1 && event.sid === 1) {
        restarts++
        next.set(1, 1).set(2, 1)
      }
      expect(event.seq).toBe(next.get(event.sid)!)
      next.set(event.sid, event.seq + 1)
    }
    expect(restarts).toBe(1)
  })

  test('never crosses a book, never takes a missing level, and opens every market with a snapshot', () => {
    const books = new Map<string, { yes: Side; no: Side }>()
    for (const { event } of lines) {
      const { type, sid, seq, msg } = event
      if (sid === 1 && seq === 1) books.clear()
      if (type === 'orderbook_snapshot') {
        const book = { yes: side(msg.yes_dollars_fp), no: side(msg.no_dollars_fp) }
        for (const levels of [book.yes, book.no])
          expect([...levels.keys()]).toEqual([...levels.keys()].sort((a, b) => a - b))
        books.set(msg.market_ticker, book)
      }
      const book = books.get(msg.market_ticker)!
      if (type === 'orderbook_delta') {
        const levels = book[msg.side]
        const size = (levels.get(milli(msg.price_dollars)) ?? 0) + centi(msg.delta_fp)
        expect(size).toBeGreaterThanOrEqual(0)
        if (size === 0) levels.delete(milli(msg.price_dollars))
        else levels.set(milli(msg.price_dollars), size)
      }
      if (type !== 'trade') expect(best(book.yes) + best(book.no)).toBeLessThan(1_000)
    }
  })

  test('gives every trade a delta of the resting side at its price and time', () => {
    const key = (msg: Msg, resting: string, price: string, count: string) =>
      `${msg.market_ticker} ${msg.ts_ms} ${resting} ${price} ${count}`
    const deltas = new Set(
      of('orderbook_delta').map(({ event: { msg } }) => key(msg, msg.side, msg.price_dollars, msg.delta_fp)),
    )
    const trades = of('trade')
    expect(trades.length / records).toBeWithin(0.01, 0.12)
    for (const { event } of trades) {
      const { msg } = event
      const [resting, price] =
        msg.taker_side === 'no' ? (['yes', msg.yes_price_dollars] as const) : (['no', msg.no_price_dollars] as const)
      expect(deltas).toContain(key(msg, resting, price, `-${msg.count_fp}`))
      expect(milli(msg.yes_price_dollars) + milli(msg.no_price_dollars)).toBe(1_000)
    }
  })

  test('has one market all day, and others that end with an empty book', () => {
    const markets = Map.groupBy(lines, ({ event }) => event.msg.market_ticker)
    expect(markets.size).toBeGreaterThan(4)
    const busy = kalshiBusyTicker(DATE)
    for (const [ticker, own] of markets) {
      const last = own.at(-1)!
      const isOpen = ticker === busy || last.recv_ms > dayMs + 86_390_000
      if (!isOpen) expect([last.event.type, last.event.msg.yes_dollars_fp]).toEqual(['orderbook_snapshot', undefined])
    }
    const depth = markets.get(busy)![0]!.event.msg
    expect(depth.yes_dollars_fp!.length).toBeWithin(30, 91)
    expect(depth.no_dollars_fp!.length).toBeWithin(30, 91)
    expect(markets.get(busy)!.length / records).toBeWithin(0.4, 0.6)
  })
})

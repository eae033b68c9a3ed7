// Tests records, event time, runs and merging, each rule on the smallest capture that shows it (docs/records.md,
// docs/time-and-order.md).

import { describe, expect, test } from 'bun:test'
import {
  book,
  CONDITION,
  capture,
  DAY,
  kalshiDelta,
  kalshiGap,
  kalshiOrder,
  kalshiSnapshot,
  kalshiTrade,
  NOON,
  NOW,
  priceChange,
  received,
  TICKER,
} from './lines.ts'
import { loadTexts } from './model.ts'

const HOUR = 3_600_000
const check = (captures: string[], expected: string[]) =>
  expect(kalshiOrder(loadTexts(captures, NOW))).toEqual(expected)
const delta = (ms: number, amount: string) => kalshiDelta(ms, '0.5', amount)
const snapshot = kalshiSnapshot([['0.4', '1']])
const polymarketTimes = (...captures: string[]) =>
  loadTexts(captures, NOW)
    .records('polymarket', CONDITION, DAY)
    .map(({ timestamp }) => timestamp - NOON)

describe('records', () => {
  test('a Kalshi record holds the inner message, an unknown type the whole one', () => {
    const ticker = { type: 'ticker', sid: 3, msg: { market_ticker: 'kxtest-1', ts_ms: NOON + 1 } }
    const store = loadTexts([capture(received(5, delta(0, '1')), ticker)], NOW)
    expect(store.records('kalshi', TICKER, DAY)).toEqual([
      { type: 'delta', timestamp: NOON, received_at: NOON + 5, ticker: TICKER, sid: 1, seq: 7, msg: delta(0, '1').msg },
      { type: 'other', timestamp: NOON + 1, received_at: null, ticker: TICKER, sid: 3, seq: null, msg: ticker },
    ])
  })
  test('a price_change becomes one record a book, in order of first appearance', () => {
    const [a1, b, a2] = ['0.1', '0.2', '0.3'].map((price, i) => ({ asset_id: i === 1 ? 'B' : 'A', price, size: '1' }))
    const store = loadTexts([capture(priceChange(0, a1!, b!, a2!))], NOW)
    const head = { type: 'delta' as const, timestamp: NOON, received_at: null }
    expect(store.records('polymarket', CONDITION, DAY)).toEqual([
      { ...head, asset_id: 'A', msg: priceChange(0, a1!, a2!) },
      { ...head, asset_id: 'B', msg: priceChange(0, b!) },
    ])
  })
  test('the flat form is its own message, timed to the microsecond', () => {
    const flat = {
      type: 'delta',
      ticker: 'kxtest-1',
      timestamp: '2026-08-10T12:00:00.001999Z',
      price: null,
      delta: null,
    }
    const store = loadTexts([capture(flat)], NOW)
    expect(store.records('kalshi', TICKER, DAY)).toEqual([
      { type: 'delta', timestamp: NOON + 1, received_at: null, ticker: TICKER, sid: null, seq: null, msg: flat },
    ])
  })
  test('control frames are skipped, and other lines that are not understood are rejected with their line', () => {
    const store = loadTexts([`PONG\n[]\n{"type":"ok"}\n{"data":"PING"}\n{bad\n{"a":1}\n${capture(delta(0, '1'))}`], NOW)
    expect(store.skippedCount).toBe(4)
    expect(store.rejects.map(({ line }) => line)).toEqual([5, 6])
    expect(kalshiOrder(store)).toEqual(['0 1'])
  })
  test('a message comes bare, in an array, in an envelope, or as text in an envelope', () => {
    const texts = [
      delta(0, '1'),
      [delta(1, '2'), delta(2, '3')],
      { received_at: '2026-08-10T12:00:01Z', data: delta(3, '4') },
    ]
    const quoted = { recv_ts_ms: NOON + 9, raw: JSON.stringify([delta(4, '5')]) }
    const store = loadTexts([[...texts, quoted].map((line) => JSON.stringify(line)).join('\n')], NOW)
    expect(kalshiOrder(store)).toEqual(['0 1', '1 2', '2 3', '3 4', '4 5'])
    const receivedAt = store.records('kalshi', TICKER, DAY).map((record) => record.received_at)
    expect(receivedAt).toEqual([null, null, null, NOON + 1_000, NOON + 9])
  })
})

describe('an envelope', () => {
  const times = (envelope: (ms: number, event: object) => object) => {
    const lines = [0, 1_999, 60_000].map((ms) => JSON.stringify(envelope(NOON + ms, delta(ms, '1'))))
    const store = loadTexts([lines.join('\n').replaceAll('"#', '').replaceAll('#"', '')], NOW)
    return store.records('kalshi', TICKER, DAY).map((record) => Number(record.received_at) - NOON)
  }
  test('has a clock in s, ms, µs or ns, as a number or as text', () => {
    const expected = [0, 1_999, 60_000]
    expect(times((ms, msg) => ({ recv_ts: ms / 1_000, msg }))).toEqual(expected)
    expect(times((ms, payload) => ({ payload, local_timestamp: String(ms) }))).toEqual(expected)
    expect(times((ms, frame) => ({ recv_us: ms * 1_000 + 999, frame }))).toEqual(expected)
    // The text has more digits than a double holds; none of them is lost.
    expect(times((ms, raw) => ({ recv_ts_ns: `#${ms}999999#`, raw: JSON.stringify(raw) }))).toEqual(expected)
    expect(times((ms, data) => ({ timestamp_received: `${ms}999999`, data }))).toEqual(expected)
    expect(times((ms, message) => ({ received_time: new Date(ms).toISOString(), message }))).toEqual(expected)
    expect(times((ts, data) => ({ ticker: TICKER, ts, data }))).toEqual(expected)
  })
})

describe('event time', () => {
  test('is a running maximum of the market', () =>
    check([capture(delta(10, '1'), delta(5, '2'), delta(20, '3'))], ['10 1', '10 2', '20 3']))
  test('a step back of more than 60 s begins a run of its own, merged by time', () => {
    const lines = [delta(100_000, '1'), delta(40_000, '2'), delta(39_999, '3'), delta(39_000, '4'), delta(100_000, '5')]
    check([capture(...lines)], ['39999 3', '39999 4', '100000 1', '100000 2', '100000 5'])
  })
  test('of a snapshot without a time is its receipt, or the time of the next record if that is earlier', () => {
    check([capture(received(50, snapshot), received(60, delta(70, '1')))], ['50 book 0.4', '70 1'])
    check([capture(received(50, snapshot), received(60, delta(40, '1')))], ['40 book 0.4', '40 1'])
    check([capture(received(50, snapshot))], ['50 book 0.4'])
    check([capture(snapshot, delta(40, '1'))], ['40 book 0.4', '40 1'])
    check([capture(delta(40, '1'), snapshot)], ['40 1', '40 book 0.4'])
  })
  test('of a snapshot without a time follows the next record only up to 60 s before its receipt', () => {
    const late = received(60_050, snapshot)
    check([capture(late, received(60, delta(50, '1')))], ['50 book 0.4', '50 1'])
    check([capture(late, received(60, delta(49, '1')))], ['49 1', '60050 book 0.4'])
    const joined = [
      received(3_600_000, delta(3_600_000, '2')),
      received(3_600_500, snapshot),
      received(9, delta(1, '1')),
    ]
    check([capture(...joined)], ['1 1', '3600000 2', '3600500 book 0.4'])
  })
  test('of a snapshot without a time or a clock is that of the record that followed it', () => {
    const untimed = received(10, kalshiDelta(Number.NaN, '0.5', '1'))
    check([capture(snapshot, untimed, received(100_000, delta(100_000, '2')))], ['10 book 0.4', '10 1', '100000 2'])
  })
  test('a message is rejected if nothing shows its time', () => {
    const store = loadTexts([capture(snapshot)], NOW)
    expect(store.markets('kalshi')).toEqual([])
    expect(store.rejects.map(({ line }) => line)).toEqual([1])
  })
  test('the venue is not believed before 2020, a day past now, or an hour from the receipt', () => {
    const far = received(HOUR + 1, delta(0, '1'))
    check([capture(far)], [`${HOUR + 1} 1`])
    check([capture(received(HOUR, delta(0, '1')))], ['0 1'])
    check([capture(received(5, delta(-NOON, '1')))], ['5 1'])
    check([capture(delta(NOW - NOON + 25 * HOUR, '1'), delta(3, '2'))], ['3 1', '3 2'])
  })
  test('if venue and recorder agree, their time counts and the clock of this machine does not', () => {
    const ahead = (ms: number) => capture(received(5, delta(1, '1')), received(ms, delta(ms, '2')))
    const limit = NOW - NOON + 24 * HOUR
    expect(loadTexts([ahead(limit)], NOW).refused).toEqual([])
    const store = loadTexts([ahead(limit + 1)], NOW)
    expect(store.refused).toEqual(['text 1'])
    expect(store.markets('kalshi')).toEqual([])
  })
  test('a Polymarket book states its last change: if older than 60 s, it takes the time of its receipt', () => {
    expect(polymarketTimes(capture(received(60_000, book(0, [], []))))).toEqual([0])
    expect(polymarketTimes(capture(received(60_001, book(0, [], []))))).toEqual([60_001])
    const next = received(60_002, priceChange(60_000, { price: '0.1', size: '1' }))
    expect(polymarketTimes(capture(received(60_001, book(0, [], [])), next))).toEqual([60_000, 60_000])
  })
})

describe('merging', () => {
  const [a, b, c, d] = [delta(1, '1'), delta(2, '2'), delta(2, '3'), delta(3, '4')]
  test('loading a capture twice changes nothing, even if its keys are in another order', () => {
    const turned = { ...a!, msg: Object.fromEntries(Object.entries(a!.msg).reverse()) }
    check([capture(a!, b!), capture(turned, b!)], ['1 1', '2 2'])
  })
  test('a message that a venue sends twice in one capture is stored twice', () =>
    check([capture(a!, a!), capture(a!), capture(a!, a!)], ['1 1', '1 1']))
  test('overlapping captures join, whichever is loaded first', () => {
    check([capture(a!, b!, c!), capture(b!, c!, d!)], ['1 1', '2 2', '2 3', '3 4'])
    check([capture(b!, c!, d!), capture(a!, b!, c!)], ['1 1', '2 2', '2 3', '3 4'])
  })
  test('among equal times the stored record is first, unless a shared record shows another order', () => {
    check([capture(b!), capture(c!)], ['2 2', '2 3'])
    check([capture(c!), capture(b!, c!)], ['2 2', '2 3'])
    check([capture(c!, delta(2, '9')), capture(c!, b!, delta(2, '9'))], ['2 3', '2 2', '2 9'])
    check([capture(b!, c!), capture(b!, delta(2, '9'))], ['2 2', '2 3', '2 9'])
  })
  test('a snapshot without a time stays directly before its follower of the same time', () => {
    const late = capture(received(4, snapshot), d!)
    check([capture(a!, delta(3, '9')), late], ['1 1', '3 9', '3 book 0.4', '3 4'])
    check([late, capture(a!, delta(3, '9'))], ['1 1', '3 book 0.4', '3 4', '3 9'])
    check([late, capture(a!, delta(3, '9'), d!)], ['1 1', '3 9', '3 book 0.4', '3 4'])
    check([late, late, capture(a!, d!), late], ['1 1', '3 book 0.4', '3 4'])
  })
  test('a snapshot without a time that is earlier than its follower is placed by its own time', () => {
    const early = capture(received(2, snapshot), d!)
    const first = capture(a!, delta(2, '8'), delta(3, '9'), d!)
    check([first, early], ['1 1', '2 8', '2 book 0.4', '3 9', '3 4'])
    check([early, first], ['1 1', '2 book 0.4', '2 8', '3 9', '3 4'])
    check([early, capture(c!)], ['2 book 0.4', '2 3', '3 4'])
  })
  test('a snapshot without a time that two captures have takes the earlier of its times', () => {
    check([capture(snapshot, d!), capture(snapshot, b!)], ['2 book 0.4', '2 2', '3 4'])
    check([capture(snapshot, b!), capture(snapshot, d!)], ['2 book 0.4', '2 2', '3 4'])
    const early = capture(received(3, snapshot), b!)
    check([capture(received(3, snapshot)), early], ['2 book 0.4', '2 2'])
    check([early, capture(received(3, snapshot))], ['2 book 0.4', '2 2'])
  })
  test('a snapshot that ended a capture stays before the next record of another capture', () => {
    const last = capture(received(2, snapshot))
    check([last, capture(c!), capture(received(2, snapshot), b!)], ['2 3', '2 book 0.4', '2 2'])
    check([capture(received(2, snapshot), b!), last, capture(c!)], ['2 book 0.4', '2 2', '2 3'])
  })
  test('within one ms the finer time decides, then seq, then the store', () => {
    const at = (us: string, seq: number, amount: string, sid = 1) => {
      const { msg } = delta(1, amount)
      return { type: 'orderbook_delta', sid, seq, msg: { ...msg, ts: `2026-08-10T12:00:00.001${us}Z` } }
    }
    check([capture(at('300', 9, '3')), capture(at('1', 10, '1'), at('4', 8, '4'))], ['1 1', '1 3', '1 4'])
    check([capture(at('1', 2, '2')), capture(at('1', 1, '1'), at('1', 3, '3'))], ['1 1', '1 2', '1 3'])
    check([capture(at('1', 2, '2')), capture(at('1', 1, '1', 5))], ['1 2', '1 1'])
    check([capture(a!), capture(at('1', 1, '2', 3))], ['1 1', '1 2'])
  })
  test('snapshots without a time are the same only when received at the same time', () =>
    check(
      [capture(received(2, snapshot), d!), capture(received(3, snapshot), d!)],
      ['2 book 0.4', '3 book 0.4', '3 4'],
    ))
  test('runs of one capture are merged, and the copies of each run stay', () => {
    check([capture(delta(90_000, '1'), a!, delta(90_000, '1'))], ['1 1', '90000 1'])
    check([capture(delta(90_000, '1'), a!, delta(90_000, '1'), delta(90_000, '1'))], ['1 1', '90000 1', '90000 1'])
  })
  test('trades and gaps are records like any other', () =>
    check([capture(kalshiTrade(1, 't'), kalshiGap(2)), capture(kalshiGap(2))], ['1 t', '2 gap']))
})

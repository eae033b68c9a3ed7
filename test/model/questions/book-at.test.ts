// Tests the book at an instant on the smallest capture that shows each rule. All expected values are worked out by
// hand.

import { describe, expect, test } from 'bun:test'
import {
  book,
  capture,
  DAY,
  kalshiDelta,
  kalshiGap,
  kalshiSnapshot,
  NOON,
  priceChange,
  received,
  TICKER,
} from '../lines.ts'
import * as made from './made-lines.ts'

const { at, askKalshi, askPolymarket } = made
const DAY_2 = '2026-08-11'
const MIDNIGHT = 12 * 3_600_000

const opening = received(
  0,
  kalshiSnapshot(
    [
      ['0.40', '10'],
      ['0.39', '2.5'],
    ],
    [['0.50', '20.5']],
  ),
)
// The YES bids are 0.40 and 0.39. The NO bid at 0.50 is a YES ask at 0.50. At 10 ms, 3 of the best bid go. At 20 ms, a
// NO bid at 0.52 comes, which is an ask at 0.48.
const lines = [opening, kalshiDelta(10, '0.40', '-3'), kalshiDelta(20, '0.52', '1', 'no')]
const captures = [capture(...lines)]

const sides = async (query: Record<string, string>, texts = captures) => {
  const { bids, asks, as_of, record } = await askKalshi(texts, 'book', query)
  return { bids, asks, as_of: as_of === null ? null : Number(as_of) - NOON, record }
}

describe('an instant', () => {
  test('at the time of a record includes that record', async () => {
    expect(await askKalshi(captures, 'book', at(10))).toEqual({
      market_ticker: TICKER,
      timestamp: NOON + 10,
      as_of: NOON + 10,
      date: DAY,
      record: 1,
      trust: 'established',
      bids: [
        [0.4, 7],
        [0.39, 2.5],
      ],
      asks: [[0.5, 20.5]],
      last_trade: null,
      tick_size: null,
      verified: null,
    })
  })
  test('between records has the record before, and all records of its own ms', async () => {
    const bids = [
      [0.4, 7],
      [0.39, 2.5],
    ]
    expect(await sides(at(19))).toEqual({ bids, asks: [[0.5, 20.5]], as_of: 10, record: 1 })
    const asks = [
      [0.48, 1],
      [0.5, 20.5],
    ]
    expect(await sides(at(20))).toEqual({ bids, asks, as_of: 20, record: 2 })
    const twice = [capture(...lines, kalshiDelta(20, '0.39', '-2.5'))]
    expect(await sides(at(20), twice)).toEqual({ bids: [[0.4, 7]], asks, as_of: 20, record: 3 })
  })
  test('after the last record, now, and in seconds', async () => {
    const last = { record: 2, as_of: 20 }
    expect(await sides(at(5_000_000_000))).toMatchObject(last)
    expect(await sides({})).toMatchObject(last)
    expect(await sides({ timestamp: String(NOON / 1_000) })).toMatchObject({ record: 0, as_of: 0 })
    expect(await sides({ timestamp: String(NOON / 1_000 + 1) })).toMatchObject(last)
  })
  test('before the first record knows nothing', async () => {
    expect(await askKalshi(captures, 'book', at(-1))).toMatchObject({
      ...{ timestamp: NOON - 1, as_of: null, date: null, record: null, trust: 'unknown' },
      ...{ bids: [], asks: [], last_trade: null, tick_size: null, verified: null },
    })
  })
  test('depth cuts each side', async () => {
    expect(await sides({ ...at(20), depth: '1' })).toEqual({
      bids: [[0.4, 7]],
      asks: [[0.48, 1]],
      as_of: 20,
      record: 2,
    })
  })
})

describe('a place', () => {
  test('has the record at the place, as of the event time of the record', async () => {
    expect(await askKalshi(captures, 'book', { date: DAY, record: '0' })).toMatchObject({ timestamp: NOON, record: 0 })
    expect(await askKalshi(captures, 'book', { date: DAY, record: '2' })).toMatchObject({ timestamp: NOON + 20 })
  })
  test('of another book has the records of this one before it', async () => {
    const other = priceChange(7, { asset_id: 'B', price: '0.1', size: '1' })
    const text = [capture(book(0, [['0.4', '1']], []), other, priceChange(9, { price: '0.3', size: '2' }))]
    expect(await askPolymarket(text, 'book', { date: DAY, record: '1' })).toMatchObject({
      ...{ timestamp: NOON + 7, as_of: NOON, record: 0, bids: [[0.4, 1]] },
    })
    // Record numbers count the records of all books.
    expect(await askPolymarket(text, 'book', at(9))).toMatchObject({ record: 2 })
  })
})

describe('over midnight', () => {
  const later = capture(kalshiDelta(MIDNIGHT, '0.40', '1'))
  test('the first ms of a day has its first records', async () => {
    const both = [...captures, later]
    expect(await askKalshi(both, 'book', at(MIDNIGHT - 1))).toMatchObject({ date: DAY, record: 2, as_of: NOON + 20 })
    expect(await askKalshi(both, 'book', at(MIDNIGHT))).toMatchObject({
      ...{ date: DAY_2, record: 0, as_of: NOON + MIDNIGHT, trust: 'established' },
      bids: [
        [0.4, 8],
        [0.39, 2.5],
      ],
    })
  })
  test('a day that is not stored, and a day without records of the book, have the closing book', async () => {
    const closing = { trust: 'established', as_of: NOON + 20, date: DAY, record: 2 }
    expect(await askKalshi(captures, 'book', at(3 * made.DAY_MS))).toMatchObject(closing)
    const trade = { ...made.kalshiFill(made.DAY_MS, '0.4', '1', 'no') }
    const other = { ...trade, msg: { ...trade.msg, market_ticker: 'KXTEST-2' } }
    const carried = [...captures, capture(other)]
    expect(await askKalshi(carried, 'book', at(made.DAY_MS + 5))).toMatchObject(closing)
  })
  test('a day that begins with a snapshot has the closing book until then', async () => {
    const fresh = capture(received(MIDNIGHT + 1_000, kalshiSnapshot([['0.10', '1']])))
    const both = [...captures, fresh]
    expect(await askKalshi(both, 'book', at(MIDNIGHT + 999))).toMatchObject({ date: DAY, as_of: NOON + 20 })
    expect(await askKalshi(both, 'book', at(MIDNIGHT + 1_000))).toMatchObject({
      date: DAY_2,
      bids: [[0.1, 1]],
      asks: [],
    })
  })
})

describe('trust', () => {
  test('is lost after a gap, until the next snapshot', async () => {
    const text = [
      capture(...lines, kalshiGap(30), kalshiDelta(40, '0.3', '5'), received(50, kalshiSnapshot([['0.2', '1']]))),
    ]
    expect(await askKalshi(text, 'book', at(29))).toMatchObject({ trust: 'established' })
    expect(await askKalshi(text, 'book', at(30))).toMatchObject({ trust: 'lost', bids: [], asks: [], record: 3 })
    expect(await askKalshi(text, 'book', at(40))).toMatchObject({ trust: 'lost', bids: [], record: 4 })
    expect(await askKalshi(text, 'book', at(50))).toMatchObject({ trust: 'established', bids: [[0.2, 1]] })
  })
  test('is doubtful from the record before the evidence to the next snapshot', async () => {
    // The change removes 4 contracts at 0.39, but only 2.5 are there.
    const impossible = kalshiDelta(40, '0.39', '-4')
    const text = [capture(...lines, impossible, received(50, kalshiSnapshot([['0.2', '1']])))]
    expect(await askKalshi(text, 'book', at(19))).toMatchObject({ trust: 'established' })
    expect(await askKalshi(text, 'book', at(20))).toMatchObject({ trust: 'doubtful' })
    expect(await askKalshi(text, 'book', at(49))).toMatchObject({ trust: 'doubtful' })
    expect(await askKalshi(text, 'book', at(50))).toMatchObject({ trust: 'established' })
    const open = [capture(...lines, impossible)]
    expect(await askKalshi(open, 'book', at(MIDNIGHT))).toMatchObject({ trust: 'doubtful' })
    const lost = [capture(...lines, impossible, kalshiGap(60))]
    expect(await askKalshi(lost, 'book', at(60))).toMatchObject({ trust: 'lost' })
  })
  test('a gap of the whole condition is one of each book', async () => {
    const text = [capture(book(0, [['0.4', '1']], []), made.polymarketGap(5, null))]
    expect(await askPolymarket(text, 'book', at(5))).toMatchObject({ trust: 'lost', as_of: NOON + 5, record: 1 })
  })
  test('a book without a snapshot is observed: it has the levels seen, and the stated best prices', async () => {
    const stated = priceChange(0, { price: '0.3', size: '5', best_bid: '0.35', best_ask: '0.4' })
    const silent = priceChange(1, { price: '0.31', size: '2', side: 'SELL' })
    const lower = priceChange(2, { price: '0.2', size: '0', best_bid: '0.29', best_ask: '1' })
    const text = [capture(stated, silent, lower)]
    const bids = [
      [0.35, 0],
      [0.3, 5],
    ]
    const observed = { trust: 'observed', verified: null }
    expect(await askPolymarket(text, 'book', at(0))).toMatchObject({ ...observed, bids, asks: [[0.4, 0]] })
    expect(await askPolymarket(text, 'book', at(1))).toMatchObject({ ...observed, bids: [[0.3, 5]], asks: [[0.31, 2]] })
    expect(await askPolymarket(text, 'book', at(2))).toMatchObject({ ...observed, bids: [[0.29, 0]], asks: [] })
    expect(await askPolymarket(text, 'book', { ...at(0), depth: '1' })).toMatchObject({ bids: [[0.35, 0]] })
  })
  test('any record of the book, also a trade, ends "unknown"', async () => {
    const text = [capture(made.kalshiFill(0, '0.31', '1.88', 'no'))]
    expect(await askKalshi(text, 'book', at(0))).toMatchObject({ trust: 'observed', bids: [], record: 0, as_of: NOON })
  })
})

describe('levels', () => {
  test('crossed books, sizes with six digits and prices between cents are as they are', async () => {
    const text = [capture(book(0, [['0.6', '216.216215']], [['0.515', '0.000001']]))]
    expect(await askPolymarket(text, 'book', at(0))).toMatchObject({
      bids: [[0.6, 216.216215]],
      asks: [[0.515, 0.000001]],
    })
  })
  test('cents of older archives are dollars, and sums of decimals are exact', async () => {
    const cents = {
      type: 'orderbook_snapshot',
      sid: 1,
      seq: 1,
      msg: { market_ticker: TICKER, yes: [[41, 3]], no: [[52, 4]] },
    }
    const delta = {
      type: 'orderbook_delta',
      sid: 1,
      seq: 2,
      msg: { market_ticker: TICKER, price: 41, delta: -1, side: 'yes', ts_ms: NOON + 1 },
    }
    expect(await sides(at(1), [capture(received(0, cents), delta)])).toMatchObject({
      bids: [[0.41, 2]],
      asks: [[0.48, 4]],
    })
    const tenths = ['0.1', '0.2'].map((size, i) => kalshiDelta(i, '0.07', size))
    expect(await sides(at(1), [capture(opening, ...tenths)])).toMatchObject({
      bids: [
        [0.4, 10],
        [0.39, 2.5],
        [0.07, 0.3],
      ],
    })
  })
})

describe('returned with the book', () => {
  test('the last readable trade, also of an earlier day', async () => {
    const fill = made.kalshiFill(12, '0.4000', '1.88', 'no', 'x')
    const unreadable = made.kalshiPrint(15, { trade_id: 'y', count_fp: '1' })
    const text = [capture(opening, fill, unreadable)]
    const last_trade = {
      timestamp: NOON + 12,
      ticker: TICKER,
      price: 0.4,
      size: 1.88,
      side: 'sell',
      trade_id: 'x',
      record: 1,
    }
    expect(await askKalshi(text, 'book', at(11))).toMatchObject({ last_trade: null })
    expect(await askKalshi(text, 'book', at(made.DAY_MS))).toMatchObject({ last_trade, record: 2, as_of: NOON + 15 })
  })
  test('the tick size, of a snapshot that prints one and of changes of it', async () => {
    const text = [
      capture(
        { ...book(0, [['0.4', '1']], []), tick_size: '0.01' },
        made.tickChange(5, '0.01', '0.001'),
        book(9, [], []),
      ),
    ]
    expect(await askPolymarket(text, 'book', at(4))).toMatchObject({ tick_size: 0.01 })
    expect(await askPolymarket(text, 'book', at(5))).toMatchObject({ tick_size: 0.001, bids: [[0.4, 1]], record: 1 })
    expect(await askPolymarket(text, 'book', at(9))).toMatchObject({ tick_size: 0.001, bids: [] })
    expect(await askPolymarket([capture(book(0, [], []))], 'book', at(4))).toMatchObject({ tick_size: null })
  })
})

// Tests a book at an instant or after a record, with its last trade and its trust.

import { expect, test } from 'bun:test'
import {
  DAY,
  kalshiDelta,
  kalshiGap,
  kalshiSnapshot,
  kalshiTrade,
  NOON,
  received,
  TICKER,
} from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import { type BookAtRequest, bookAt } from './book-at.ts'

const trade = kalshiTrade(2_500, 'a')
const lines = [
  received(0, kalshiDelta(0, '0.30', '5')),
  received(
    1_000,
    kalshiSnapshot(
      [
        ['0.40', '10'],
        ['0.39', '1'],
      ],
      [['0.55', '20']],
    ),
  ),
  received(2_000, kalshiDelta(2_000, '0.41', '3')),
  received(2_500, { ...trade, msg: { ...trade.msg, yes_price_dollars: '0.45', count_fp: '2.50', taker_side: 'no' } }),
  received(3_000, kalshiGap(3_000)),
].map((line) => JSON.stringify(line))

test('each moment of a day', () =>
  withStore(async (store) => {
    await store.loadLines('c.ndjson', lines)
    const at = (instant: BookAtRequest['at'], depth = 9) =>
      bookAt(store.store, { venue: 'kalshi', market: TICKER, book: TICKER, at: instant, depth })
    const bare = { last_trade: null, tick_size: null, verified: null }
    expect(await at({ ms: NOON - 1 })).toEqual({
      timestamp: NOON - 1,
      as_of: null,
      date: null,
      record: null,
      trust: 'unknown',
      bids: [],
      asks: [],
      ...bare,
    })
    expect(await at({ ms: NOON + 999 })).toMatchObject({ as_of: NOON, record: 0, trust: 'observed', bids: [[0.3, 5]] })
    const second = {
      as_of: NOON + 2_000,
      date: DAY,
      record: 2,
      trust: 'established',
      bids: [
        [0.41, 3],
        [0.4, 10],
      ],
      asks: [[0.45, 20]],
      ...bare,
    }
    expect(await at({ ms: NOON + 2_400 }, 2)).toEqual({ timestamp: NOON + 2_400, ...second } as never)
    expect(await at({ date: DAY, record: 2 }, 2)).toEqual({ timestamp: NOON + 2_000, ...second } as never)
    const last = {
      timestamp: NOON + 2_500,
      ticker: TICKER,
      price: 0.45,
      size: 2.5,
      side: 'sell',
      trade_id: 'a',
      record: 3,
    }
    expect((await at({ ms: NOON + 2_500 })).last_trade).toEqual(last as never)
    expect(await at({ ms: NOON + 90_000 })).toMatchObject({
      as_of: NOON + 3_000,
      record: 4,
      trust: 'lost',
      bids: [],
      last_trade: last,
    })
  }))

// A message that cannot be read as a book does not become an empty book: it is stored as it was sent, and reported.

import { expect, test } from 'bun:test'
import type { JsonObject } from '../../test/model/json.ts'
import {
  book,
  CONDITION,
  capture,
  DAY,
  kalshiDelta,
  kalshiSnapshot,
  NOW,
  received,
  TICKER,
} from '../../test/model/lines.ts'
import { loadTexts } from '../../test/model/model.ts'
import { withStore } from '../../test/support/store.ts'
import { expectSameRecords } from '../../test/workers/load/model-comparison.ts'

const kalshi = (type: string, msg: JsonObject): JsonObject => ({
  ...{ type, sid: 1, seq: 9 },
  msg: { market_ticker: TICKER, ...msg },
})
const snapshot = (msg: JsonObject) => kalshi('orderbook_snapshot', msg)
const trade = (price: string) =>
  kalshi('trade', { trade_id: price, price, count: '0.50', taker_side: 'bid', ts_ms: Date.parse(`${DAY}T12:00:01Z`) })
const polymarket = (levels: JsonObject): JsonObject => {
  const { bids: _, asks: __, ...rest } = book(0, [], [])
  return { ...rest, ...levels }
}
const flat = { ticker: TICKER, timestamp: `${DAY}T12:00:01Z` }

type Case = [what: string, message: JsonObject, isRead: boolean]
const cases: Case[] = [
  ['sides of a margin market', snapshot({ bid: [['6.4000', '10.00']], ask: [] }), false],
  ['one known side, and a list in place of the other', snapshot({ yes: [[40, 1]], sells: [[45, 1]] }), false],
  ['a list within an object', snapshot({ levels: { bids: [['0.4', '1']] } }), false],
  ['a list beside both sides', snapshot({ yes: [[40, 1]], no: [], notes: ['a'] }), true],
  ['an absent side', snapshot({ yes_dollars_fp: [['0.4000', '1.00']] }), true],
  ['a side of null', snapshot({ yes: [[40, 1]], no: null }), true],
  ['no side at all', snapshot({}), true],
  ['a price beyond 1', kalshiSnapshot([['0.4000', '1.00']], [['6.4010', '1.00']]), false],
  ['a price below 0', kalshiSnapshot([['-0.4000', '1.00']]), false],
  ['prices of 0 and 1', kalshiSnapshot([['0', '1.00']], [['1.0000', '1.00']]), true],
  ['cents beyond a dollar', snapshot({ yes: [[101, 1]], no: [] }), false],
  ['levels of another form', snapshot({ yes: [{ price: 40, size: 1 }], no: [] }), false],
  ['a side that is no list', snapshot({ yes: { '40': 1 }, no: [] }), false],
  ['a change of an unknown side', kalshiDelta(1, '0.4000', '1.00', 'bid'), false],
  ['a change of a side', kalshiDelta(1, '0.4000', '1.00', 'no'), true],
  ['a trade beyond 1', trade('6.4005'), false],
  ['a trade of cents', trade('64'), true],
  ['flat: an unknown side', { ...flat, type: 'snapshot', bids: [['0.4', '1']] }, false],
  ['flat: a change', { ...flat, type: 'delta', price: '0.4', delta: '1', side: 'ask' }, false],
  ['Polymarket: other names', polymarket({ buys: [{ price: '0.4', size: '1' }], sells: [] }), false],
  ['Polymarket: levels of another form', polymarket({ bids: [['0.4', '1']], asks: [] }), false],
  ['Polymarket: a price beyond 1', book(0, [['64', '1']], []), false],
  ['Polymarket: a book', book(0, [['.4', '1']], [['1', '2']]), true],
]

// Sends the message three times, since the reader treats the first lines of a form differently from later ones.
test.each(cases)('%s', (_what, message, isRead) =>
  withStore(async (store) => {
    const good = [kalshiSnapshot([['0.3000', '1.00']]), kalshiDelta(0, '0.3000', '1.00'), book(0, [['0.3', '1']], [])]
    const text = capture(...[message, ...good, message, message].map((event, i) => received(i, event)))
    const { notes, rejected } = await store.loadLines('odd', text.split('\n'))
    expect(rejected).toBe(0)
    expect(Object.values(notes)).toEqual(isRead ? [] : [3])
    await expectSameRecords(store, loadTexts([text], NOW))
    const venue = 'event_type' in message ? 'polymarket' : 'kalshi'
    const records = await store.records(venue, venue === 'kalshi' ? TICKER : CONDITION, DAY)
    expect(records.filter(({ type }) => type === 'other')).toHaveLength(isRead ? 0 : 3)
  }),
)

test('a book of the REST API that cannot be read', () =>
  withStore(async (store) => {
    const body = { orderbook_fp: { bid: [['6.4000', '1.00']] } }
    const line = JSON.stringify({ received_at: NOW - 1, source: 'rest', ticker: TICKER, raw: JSON.stringify(body) })
    const { notes } = await store.loadLines('rest', [line])
    expect(Object.values(notes)).toEqual([1])
    const [printed] = await store.printed('kalshi', TICKER)
    expect(JSON.parse(printed!)).toMatchObject({ type: 'other', ticker: TICKER, msg: body })
  }))

test('a message that is stored this way loads again from its printed form', () =>
  withStore(async (store) => {
    const lines = cases.map(([, message], i) => JSON.stringify(received(i, message)))
    await store.loadLines('odd', lines)
    const printed = await store.printed('kalshi', TICKER)
    await withStore(async (other) => {
      expect((await other.loadLines('again', printed)).rejected).toBe(0)
      expect(await other.printed('kalshi', TICKER)).toEqual(printed)
    })
  }))

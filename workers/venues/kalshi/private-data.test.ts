// No record has the data that a venue sends to one account only. So two recorders with their own accounts store the
// same record once.

import { expect, test } from 'bun:test'
import type { JsonObject } from '../../../test/model/json.ts'
import {
  CONDITION,
  capture,
  DAY,
  kalshiDelta,
  kalshiSnapshot,
  kalshiTrade,
  NOON,
  NOW,
  received,
  TICKER,
} from '../../../test/model/lines.ts'
import { loadTexts } from '../../../test/model/model.ts'
import { withStore } from '../../../test/support/store.ts'
import { expectSameRecords } from '../../../test/workers/load/model-comparison.ts'

const PRIVATE = { client_order_id: '00000000-0000-4000-8000-0000000000aa', subaccount: 0 }
const own = (message: { msg: JsonObject }) => ({ ...message, msg: { ...message.msg, ...PRIVATE } })
const flat = (ms: number, fields: JsonObject) => ({
  ...{ type: 'delta', ticker: TICKER, timestamp: new Date(NOON + ms).toISOString() },
  ...{ price: '0.41', delta: '7', side: 'yes', ...fields },
})

const shared = [1, 2, 3].map((second) => kalshiDelta(second * 1_000, '0.4100', second === 2 ? '-7.00' : '7.00'))
const bare = capture(
  received(0, kalshiSnapshot([['0.4000', '10.00']])),
  ...[...shared, flat(4_000, {}), kalshiTrade(5_000, 'T')].map((message, i) => received(i * 1_000 + 1_009, message)),
)
const private_ = capture(
  received(0, kalshiSnapshot([['0.4000', '10.00']])),
  ...[...shared.map(own), flat(4_000, PRIVATE), own(kalshiTrade(5_000, 'T'))].map((message, i) =>
    received(i * 1_000 + 1_004, message),
  ),
)

test.each([
  ['the other account first', [bare, private_]],
  ['the own account first', [private_, bare]],
])('fields of one account: %s', (_what, texts) =>
  withStore(async (store) => {
    const reports = []
    for (const [i, text] of texts.entries()) reports.push(await store.loadLines(`recorder-${i}`, text.split('\n')))
    expect(reports.flatMap(({ notes }) => Object.values(notes))).toEqual([5])
    expect(reports[1]!.recordsAdded).toBe(0)
    await expectSameRecords(store, loadTexts(texts, NOW))
    expect((await store.printed('kalshi', TICKER)).join()).not.toMatch(/client_order_id|subaccount/)
  }),
)

test('a printed record with such fields', () =>
  withStore(async (store) => {
    const record = { type: 'delta', timestamp: NOON, received_at: NOON, ticker: TICKER, sid: 1, seq: 2 }
    const { msg } = own(kalshiDelta(0, '0.4100', '7.00'))
    const whole = { type: 'unknown', sid: 1, seq: 2, msg }
    const text = capture(
      { ...record, msg },
      { ...record, type: 'other', msg: whole },
      { ...record, msg: kalshiDelta(0, '0.41', '1').msg },
    )
    expect((await store.loadLines('printed', text.split('\n'))).notes).toEqual({ 'with private fields left out': 2 })
    await expectSameRecords(store, loadTexts([text], NOW))
    expect(JSON.stringify(await store.records('kalshi', TICKER, DAY))).not.toContain('subaccount')
  }))

const trade = { market: CONDITION, asset_id: 'A', price: '0.4', size: '1', side: 'BUY', timestamp: String(NOON) }
test.each<[string, JsonObject]>([
  ['a fill', { type: 'fill', sid: 3, seq: 1, msg: { trade_id: 'T', market_ticker: TICKER, ts_ms: NOON } }],
  ['an order, which says ticker', { type: 'user_order', sid: 4, msg: { order_id: 'O', ticker: TICKER } }],
  ['a position', { type: 'market_position', sid: 5, msg: { user_id: 'U', market_ticker: TICKER } }],
  ['an order group', { type: 'order_group_updates', sid: 6, seq: 1, msg: { order_group_id: 'G' } }],
  ['an own quote', { type: 'quote_created', sid: 7, msg: { quote_id: 'Q', market_ticker: TICKER } }],
  ['Polymarket: an order', { ...trade, event_type: 'order', owner: 'O', order_owner: 'O', type: 'PLACEMENT' }],
  ['Polymarket: a trade of it', { ...trade, event_type: 'trade', maker_orders: [], type: 'TRADE' }],
])('a private channel: %s', (_what, message) =>
  withStore(async (store) => {
    const text = capture(received(0, message), received(1, kalshiTrade(1, 'T')), message)
    const { skipped, rejected, records } = await store.loadLines('private', text.split('\n'))
    expect([Object.values(skipped), rejected, records]).toEqual([[2], 0, 1])
    expect(Object.keys(skipped)[0]).toStartWith('private ')
    const model = loadTexts([text], NOW)
    expect(model.skippedCount).toBe(2)
    await expectSameRecords(store, model)
  }),
)

// A book of Polymarket's real-time data socket becomes the same record as a book of the REST API. Other frames are
// counted by their type, and none is rejected.

import { expect, test } from 'bun:test'
import type { JsonObject } from '../../../test/model/json.ts'
import { CONDITION, DAY, NOON, NOW } from '../../../test/model/lines.ts'
import { loadTexts } from '../../../test/model/model.ts'
import { withStore } from '../../../test/support/store.ts'
import { expectSameRecords } from '../../../test/workers/load/model-comparison.ts'

const restBook = (asset: string, ms: number): JsonObject => ({
  ...{ market: CONDITION, asset_id: asset, timestamp: String(NOON + ms), hash: '3d'.repeat(20) },
  ...{ bids: [{ price: '0.4', size: '10' }], asks: [{ price: '0.6', size: '2.5' }] },
  ...{ min_order_size: '5', tick_size: '0.01', neg_risk: false },
})
const frame = (topic: string, type: string, payload: JsonObject | JsonObject[]): JsonObject => ({
  ...{ topic, type, timestamp: NOON + 40, connection_id: 'x9=', payload },
})
const wholeBook = (payload: JsonObject | JsonObject[]) => frame('clob_market', 'agg_orderbook', payload)

async function load(lines: JsonObject[], check: (report: object, records: object[]) => void): Promise<void> {
  const texts = lines.map((line) => JSON.stringify(line))
  await withStore(async (store) => {
    const report = await store.loadLines('capture', texts)
    await expectSameRecords(store, loadTexts([texts.join('\n')], NOW))
    const { markets } = await store.store.catalogue.markets('polymarket', { prefix: '', offset: 0, limit: 10 })
    check(report, markets.length === 0 ? [] : await store.records('polymarket', CONDITION, DAY))
  })
}

test('a whole book is a snapshot, alone, in a list and in an envelope of a recorder', () =>
  load(
    [
      wholeBook(restBook('A', 0)),
      wholeBook([restBook('A', 1), restBook('B', 2)]),
      { recv_ms: NOON + 50, event: wholeBook(restBook('A', 3)) },
    ],
    (report, records) => {
      expect(report).toMatchObject({ messages: 4, rejected: 0, skipped: {} })
      expect(records).toMatchObject([
        { type: 'snapshot', timestamp: NOON, received_at: null, msg: restBook('A', 0) },
        { type: 'snapshot', timestamp: NOON + 1, msg: restBook('A', 1) },
        { type: 'snapshot', timestamp: NOON + 2, msg: restBook('B', 2) },
        { type: 'snapshot', timestamp: NOON + 3, received_at: NOON + 50, msg: restBook('A', 3) },
      ])
    },
  ))

test('other frames are counted by their type', () =>
  load(
    [
      frame('clob_market', 'price_change', { m: CONDITION, pc: [{ a: 'A', p: '0.5', s: 'BUY', si: '7' }], t: '1' }),
      frame('activity', 'orders_matched', { conditionId: CONDITION, price: 0.5, size: 7 }),
      frame('activity', 'orders_matched', { conditionId: CONDITION, price: 0.6, size: 7 }),
      frame('clob_user', 'order', { market: CONDITION, owner: 'me' }),
    ],
    (report, records) => {
      expect(records).toEqual([])
      expect(report).toMatchObject({
        messages: 0,
        rejected: 0,
        skipped: {
          'real-time frames of clob_market/price_change (form not read)': 1,
          'real-time frames of activity/orders_matched (no book)': 2,
          'private clob_user/order': 1,
        },
      })
    },
  ))

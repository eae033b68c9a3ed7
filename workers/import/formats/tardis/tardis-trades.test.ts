// Tardis' trades of Polymarket become messages of the venue.

import { expect, test } from 'bun:test'
import { CONDITION } from '../../../../test/model/lines.ts'
import { importText } from '../../../../test/support/import/import-text.ts'
import { type TestStore, withStore } from '../../../../test/support/store.ts'
import { tardisTrades } from './tardis-trades.ts'

const DAY = '2026-09-10'
const START_US = Date.parse(`${DAY}T00:00:00Z`) * 1_000
const TOKENS = ['34594325533642317507642159322716']
const TRADE_HEAD = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount'
const file = (head: string, ...rows: string[]) => [head, ...rows, ''].join('\n')
const named = { markets: [CONDITION] }
const recordsOf = (store: TestStore) => store.records('polymarket', CONDITION, DAY)

test('trades keep side, size and id; absent values stay absent; two equal trades stay two', () =>
  withStore(async (store) => {
    const row = (rest: string) => `polymarket,${TOKENS[0]},${START_US + 7_000},${START_US + 9_500},${rest}`
    const rows = ['0xab,buy,0.31,216.216215', '0xab,buy,0.31,216.216215', '0xab,sell,0.3,1', ',unknown,0.305,2']
    const report = await importText(store, tardisTrades, 'trades.csv.gz', file(TRADE_HEAD, ...rows.map(row)), named)
    expect(report).toMatchObject({ rows: 4, messages: 4, recordsAdded: 4, rejected: 0 })
    const records = await recordsOf(store)
    const common = { market: CONDITION, asset_id: TOKENS[0], event_type: 'last_trade_price' }
    const timestamp = String(START_US / 1_000 + 7)
    const twice = { ...common, price: '0.31', size: '216.216215', side: 'BUY', transaction_hash: '0xab', timestamp }
    expect(records.map(({ msg }) => msg as object)).toEqual([
      twice,
      twice,
      { ...common, price: '0.3', size: '1', side: 'SELL', transaction_hash: '0xab', timestamp },
      { ...common, price: '0.305', size: '2', timestamp },
    ])
    expect(records[0]).toMatchObject({ type: 'trade', timestamp: Number(timestamp), received_at: START_US / 1_000 + 9 })
    const wrong = file(
      TRADE_HEAD,
      ...['0x1,bought,0.3,1', '0x1,buy,x,1', '0x1,buy,0.3,', '0x1,buy,1.01,1', 'a b,buy,0.3,1'].map(row),
    )
    expect(await importText(store, tardisTrades, 'wrong.csv', wrong, named)).toMatchObject({ rejected: 5, messages: 0 })
  }))

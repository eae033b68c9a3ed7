// Tests trades of one book in buckets: only those with a trade, or all of the stored dates.

import { expect, test } from 'bun:test'
import { kalshiTrade, NOON, received, TICKER } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import type { TradeSummaryRequest } from '../requests.ts'
import { tableText } from '../table/table-text.ts'
import { tableOfTrades } from './trade-summary.ts'

const trade = (second: number, price: string, count: string, side = 'yes') => {
  const of = kalshiTrade(1_000 * second, `t${second}`)
  return JSON.stringify(
    received(1_000 * second, {
      ...of,
      msg: { ...of.msg, yes_price_dollars: price, count_fp: count, taker_side: side },
    }),
  )
}

function rowsOf(of: Partial<TradeSummaryRequest>): Promise<string[]> {
  let rows: string[] = []
  return withStore(async (store) => {
    await store.loadLines('c.ndjson', [trade(5, '0.4', '2'), trade(50, '0.5', '1', 'no'), trade(130, '0.45', '4')])
    const request: TradeSummaryRequest = {
      ...{ venue: 'kalshi', market: TICKER, book: TICKER, fromMs: NOON, toMs: NOON + 239_999, resolutionSeconds: 60 },
      ...{ fill: 'none', nowMs: NOON + 86_400_000, timestampUnit: 's', ...of },
    }
    const { head, table } = await tableOfTrades(store.store, request)
    rows = Buffer.concat([...tableText(table, 'csv')])
      .toString()
      .trimEnd()
      .split('\n')
      .slice(1)
    expect(rows).toHaveLength(head.dataPoints)
  }).then(() => rows.map((row) => row.split(',').slice(1).join(',')))
}
const at = (minute: number) => NOON / 1_000 + 60 * minute
const row = (minute: number, values: string) => `${TICKER},${at(minute)},${values}`

const FIRST = row(0, '0.4,0.5,0.4,0.5,0.43333333333333335,3,2,1,1.3,2,1,1')
const THIRD = row(2, '0.45,0.45,0.45,0.45,0.45,4,4,0,1.8,1,1,0')
const empty = (minute: number) => row(minute, ',,,,,0,0,0,0,0,0,0')

test('buckets with a trade', async () => {
  const rows = await rowsOf({})
  expect(rows.map((each) => each.split(',').slice(-13).join(','))).toEqual(
    [FIRST, THIRD].map((each) => each.split(',').slice(-13).join(',')),
  )
})

test('all buckets up to now', async () => {
  const tail = (rows: string[]) => rows.map((each) => each.split(',').slice(-13).join(','))
  expect(tail(await rowsOf({ fill: 'range' }))).toEqual(tail([FIRST, empty(1), THIRD, empty(3)]))
  expect(tail(await rowsOf({ fill: 'range', nowMs: NOON + 60_000 }))).toEqual(tail([FIRST, empty(1), THIRD]))
})

test('only buckets that begin in the range, and trades up to its end', async () => {
  expect(await rowsOf({ fromMs: NOON + 1, toMs: NOON + 129_000 })).toEqual([])
  expect(await rowsOf({ book: 'other' })).toEqual([])
})

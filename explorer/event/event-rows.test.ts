// Makes the markets of an event into rows of a table, and sums the prices of their first outcomes.

import { expect, test } from 'bun:test'
import type { FoundMarket } from '../../src/client/backbook.d.ts'
import { csvRows, eventRows, sumOfYes } from './event-rows.ts'

const market = (id: string, assets: string[] = [], subtitle: string | null = null) =>
  ({
    ...{ market: id, title: 'Who wins?', subtitle, has_data: true },
    outcomes: ['Yes', 'No'].map((outcome, i) => ({
      outcome,
      title: `${outcome} of ${id}`,
      asset_id: assets[i] ?? null,
    })),
  }) as unknown as FoundMarket

const QUOTES = csvRows(`market,asset_id,timestamp,mid_price_close,spread_close
A,1,100,0.6,0.02
A,2,100,0.4,0.02
B,3,100,0.5,0.01
A,1,200,,
B,3,200,0.45,0.03
B,3,300,0.4,`)
const TRADES = csvRows(
  'market,asset_id,timestamp,close,volume\r\nA,1,100,0.61,10\r\nA,2,100,0.4,99\r\nA,1,200,0.62,5\r\n',
)

test('a row shows the first outcome: its last trade, last known spread and volume', () => {
  const rows = eventRows(
    [market('A', ['1', '2'], 'Team A'), market('B', ['3', '4']), market('C', ['5'])],
    QUOTES,
    TRADES,
  )
  expect(rows).toMatchObject([
    { market: 'A', asset: '1', title: 'Team A', last: 0.62, spread: 0.02, volume: 15 },
    { market: 'B', asset: '3', title: 'Who wins?', last: null, spread: 0.03, volume: 0 },
    { market: 'C', asset: '5', last: null, spread: null, volume: 0 },
  ])
  expect([...rows[0]!.mids]).toEqual([0.6, Number.NaN])
  expect(eventRows([market('KX-1')], [], [])[0]!.title).toBe('Yes of KX-1')
})

test('the sum is known if all markets with quotes have a price', () => {
  const rows = eventRows([market('A', ['1']), market('B', ['3']), market('C', ['5'])], QUOTES, TRADES)
  const { times, sum, count } = sumOfYes(rows)
  expect(count).toBe(2)
  expect([...times]).toEqual([100, 200, 300])
  expect(sum[0]).toBeCloseTo(1.1, 12)
  expect([...sum.subarray(1)]).toEqual([Number.NaN, Number.NaN])
  expect(sumOfYes([]).count).toBe(0)
})

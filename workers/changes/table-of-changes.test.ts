// Tests the changes of a book in a window, or of some records of a date, each with the trust of its book.

import { expect, test } from 'bun:test'
import { DAY, kalshiDelta, kalshiGap, kalshiSnapshot, NOON, received, TICKER } from '../../test/model/lines.ts'
import { withStore } from '../../test/support/store.ts'
import { tableText } from '../table/table-text.ts'
import { type ChangesRequest, tableOfChanges } from './table-of-changes.ts'

const lines = [
  received(0, kalshiDelta(0, '0.4', '5')),
  received(1_000, kalshiSnapshot([['0.5', '7']])),
  received(2_000, kalshiDelta(2_000, '0.5', '1')),
  received(3_000, kalshiGap(3_000)),
].map((line) => JSON.stringify(line))

const changesIn = (scope: ChangesRequest['scope'], trust?: string[]) => {
  let found: { hasMore: boolean | null; rows: string[] } | undefined
  return withStore(async (store) => {
    await store.loadLines('capture.ndjson', lines)
    const request = { venue: 'kalshi', market: TICKER, book: TICKER, scope, trust } as const
    const { head, table } = await tableOfChanges(store.store, request)
    const [, ...rows] = Buffer.concat([...tableText(table, 'csv')])
      .toString()
      .trimEnd()
      .split('\n')
    found = { ...head, rows: rows.map((row) => row.split(',').slice(-7).join(',')) }
  }).then(() => found!)
}

const ROWS = [
  '0,level,bid,0.4,0,5,observed',
  '1,snapshot,bid,0.5,0,7,established',
  '1,snapshot,bid,0.4,5,0,established',
  '2,level,bid,0.5,7,8,established',
  '3,gap,bid,0.5,8,0,lost',
]

test('a window', async () => {
  const whole = { fromMs: NOON - 1, toMs: NOON + 9_000 }
  expect(await changesIn(whole)).toEqual({ hasMore: null, rows: ROWS })
  expect((await changesIn({ fromMs: NOON + 1_500, toMs: NOON + 2_500 })).rows).toEqual([ROWS[3]!])
  expect((await changesIn(whole, ['lost', 'observed'])).rows).toEqual([ROWS[0]!, ROWS[4]!])
})

test('records of a date, and whether more follow', async () => {
  expect(await changesIn({ date: DAY, record: 1, limit: 2 })).toEqual({ hasMore: true, rows: ROWS.slice(1, 4) })
  expect(await changesIn({ date: DAY, record: 2, limit: 2 })).toEqual({ hasMore: false, rows: ROWS.slice(3) })
})

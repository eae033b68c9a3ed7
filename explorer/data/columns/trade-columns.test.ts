// Tests trades as columns, and the number of trades up to the cursor.

import { expect, test } from 'bun:test'
import type { ArrowTable } from './arrow.ts'
import { countTradesAt, type Side, tradeAt, tradesIn } from './trade-columns.ts'

const page = (start: number, side: Side[]) =>
  ({
    numbers: (name: string) => Float64Array.from(side, (_, n) => start + n + name.length * 100),
    texts: () => side,
  }) as unknown as ArrowTable

test('each column joins the pages in order', () => {
  const trades = tradesIn([page(0, ['buy']), page(1, [null, 'sell'])])
  expect(trades.side).toEqual(['buy', null, 'sell'])
  expect([...trades.price]).toEqual([500, 501, 502])
  expect(tradeAt(trades, 2)).toEqual({ ms: 902, record: 602, price: 502, size: 402, side: 'sell' })
})

test('the cursor is after a record, or after all records of an instant', () => {
  const trades = { timestamp: Float64Array.of(10, 10, 20), record: Float64Array.of(3, 4, 9) }
  const count = (atMs: number | null, record: number | null) => countTradesAt(trades, { atMs, record })
  expect([count(9, null), count(10, null), count(20, null), count(null, null)]).toEqual([0, 2, 3, 0])
  expect([count(10, 2), count(10, 3), count(10, 8), count(20, 9)]).toEqual([0, 1, 2, 3])
  const borrowed = { ...trades, record: new Float64Array(3).fill(Number.NaN) }
  expect(countTradesAt(borrowed, { atMs: 10, record: 2 })).toBe(2)
  expect(tradeAt({ ...borrowed, price: trades.record, size: trades.record, side: [] }, 1).record).toBeNull()
})

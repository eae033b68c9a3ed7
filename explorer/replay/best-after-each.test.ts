// Finds the best prices after each record.

import { expect, test } from 'bun:test'
import { ASK, BID, type ChangeBlock, LEVEL } from '../data/replay/change-block.ts'
import { bestAfterEach, joinedExact } from './best-after-each.ts'

type Row = [ms: number, record: number, side: number, price: number, after: number]
const block = (...rows: Row[]) =>
  ({
    ...{ rows: rows.length, kinds: Uint8Array.from(rows, () => LEVEL), sides: Uint8Array.from(rows, (row) => row[2]) },
    timesMs: Float64Array.from(rows, ([ms]) => ms),
    records: Float64Array.from(rows, (row) => row[1]),
    prices: Float64Array.from(rows, (row) => row[3]),
    after: Float64Array.from(rows, (row) => row[4]),
  }) as unknown as ChangeBlock

const pricesOf = ({ times, bid, ask }: ReturnType<typeof bestAfterEach>) =>
  Array.from(times, (ms, n) => [ms, bid[n], ask[n]])

test('a price is noted if a record changes it, after all levels of the record are set', () => {
  const there = { bids: [[0.4, 5]], asks: [[0.5, 5]] }
  const rows = block(
    // One record moves the bid by two levels.
    [10, 1, BID, 0.4, 0],
    [10, 1, BID, 0.41, 3],
    // A level worse than the best changes nothing. Another record of the same ms changes the best ask.
    [20, 2, BID, 0.3, 1],
    [20, 3, ASK, 0.49, 1],
    [30, 4, ASK, 0.49, 0],
    [30, 4, ASK, 0.5, 0],
  )
  expect(pricesOf(bestAfterEach(there, rows, 5))).toEqual([
    [5, 0.4, 0.5],
    [10, 0.41, 0.5],
    [20, 0.41, 0.49],
    [30, 0.41, Number.NaN],
  ])
  expect(pricesOf(bestAfterEach(there, block(), 5))).toEqual([[5, 0.4, 0.5]])
})

test('windows follow one another, and nothing is known from the end on', () => {
  const window = (ms: number) => bestAfterEach({ bids: [[ms / 100, 1]], asks: [] }, block(), ms)
  expect(pricesOf(joinedExact([window(10), window(20), window(30)], 30))).toEqual([
    [10, 0.1, Number.NaN],
    [20, 0.2, Number.NaN],
    [30, Number.NaN, Number.NaN],
  ])
})

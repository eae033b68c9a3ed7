// Finds the best prices after each record. No change is left out, however short it lasts.

import { expect, test } from 'bun:test'
import { ASK, BID, LEVEL } from '../data/replay/change-block.ts'
import { bestAfterEach, joinedExact } from './best-after-each.ts'

const NONE = Number.NaN

/** Makes a block with one row each: ms, record, side, price, size after. */
const block = (...rows: [ms: number, record: number, side: number, price: number, after: number][]) => {
  const column = (at: number) => Float64Array.from(rows, (row) => row[at]!)
  return {
    ...{ date: '', index: 0, hasMore: false, rows: rows.length, kinds: new Uint8Array(rows.length).fill(LEVEL) },
    ...{ timesMs: column(0), records: column(1), sides: Uint8Array.from(column(2)) },
    ...{ prices: column(3), before: new Float64Array(rows.length), after: column(4) },
  }
}
const listed = ({ times, bid, ask }: ReturnType<typeof bestAfterEach>) =>
  Array.from(times, (ms, i) => [ms, bid[i], ask[i]])

test('has each change of a best price, and no change of a worse level', () => {
  const book = { bids: [[0.4, 5]] as [number, number][], asks: [[0.5, 5]] as [number, number][] }
  const rows = block(
    [1_005, 1, BID, 0.45, 1],
    [1_006, 2, BID, 0.3, 9],
    [1_007, 3, BID, 0.45, 0],
    // Both rows are of one record: there was no book between them.
    [1_009, 4, ASK, 0.5, 0],
    [1_009, 4, ASK, 0.48, 2],
    // This is another record of the same millisecond.
    [1_009, 5, ASK, 0.48, 0],
  )
  expect(listed(bestAfterEach(book, rows, 1_000))).toEqual([
    [1_000, 0.4, 0.5],
    [1_005, 0.45, 0.5],
    [1_007, 0.4, 0.5],
    [1_009, 0.4, 0.48],
    [1_009, 0.4, NONE],
  ])
})

test('a book without levels has no prices', () => {
  expect(listed(bestAfterEach({ bids: [], asks: [] }, block(), 7))).toEqual([[7, NONE, NONE]])
})

test('windows continue where the one before ended, until the last record', () => {
  const window = (ms: number, bid: number) =>
    bestAfterEach({ bids: [[bid, 1]], asks: [] }, block([ms + 9, 1, BID, 0.5, 1]), ms)
  expect(listed(joinedExact([window(10, 0.1), window(20, 0.2)], 25))).toEqual([
    [10, 0.1, NONE],
    [19, 0.5, NONE],
    [20, 0.2, NONE],
    [25, NONE, NONE],
  ])
})

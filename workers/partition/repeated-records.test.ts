// What a stretch of a capture repeats is left out, what the venue said twice is not.

import { expect, test } from 'bun:test'
import { emptySequence, GAP_MARK, TIMED_MARK, TRADE_MARK } from './record-sequence.ts'
import { repeatedRecords } from './repeated-records.ts'

type Row = { id: number; ms: number; received?: number; mark?: number; book?: number }

/** Returns the numbers of the records that are left out. */
function leftOut(rows: readonly Row[]): number[] {
  const sequence = emptySequence(rows.length)
  const receivedMs = new Float64Array(rows.length)
  for (const [i, { id, ms, received = Number.NaN, mark = TIMED_MARK, book = 1 }] of rows.entries()) {
    sequence.timesMs[i] = ms
    sequence.marks[i] = mark
    sequence.books[i] = book
    sequence.hashes[i] = BigInt(id)
    receivedMs[i] = received
  }
  return [...repeatedRecords({ sequence, receivedMs })].flatMap((left, i) => (left === 1 ? [i] : []))
}

const feed: Row[] = [0, 1, 2].map((i) => ({ id: i, ms: 100 * i, received: 100 * i + 5 }))

test('a feed that comes twice is there once', () => {
  expect(leftOut([...feed, ...feed])).toEqual([3, 4, 5])
  expect(leftOut([...feed, ...feed.slice(1), ...feed])).toEqual([3, 4, 5, 6, 7])
})

test('a stretch without a step back of event times begins where the receipts step back', () => {
  const slow = feed.map((row, i) => ({ ...row, ms: 200, received: 2_000 * i }))
  expect(leftOut([...slow, ...slow])).toEqual([3, 4, 5])
  // Within the jitter of a recorder's threads no stretch begins.
  const quick = feed.map((row) => ({ ...row, ms: 200 }))
  expect(leftOut([...quick, ...quick])).toEqual([])
})

test('a message that the venue said twice stays twice, as often as the stretch that has it most often', () => {
  const twice = [feed[0]!, feed[1]!, feed[1]!, feed[2]!]
  expect(leftOut(twice)).toEqual([])
  expect(leftOut([...feed, ...twice])).toEqual([3, 4, 6])
  expect(leftOut([...twice, ...feed])).toEqual([4, 5, 6])
  expect(leftOut([...feed, ...feed.map((row) => ({ ...row, received: row.received! + 1 }))])).toEqual([])
})

test('nothing behind a gap is the same as before it, and trades with an id are not compared', () => {
  const gap = { id: 7, ms: 300, received: 400, mark: GAP_MARK }
  expect(leftOut([...feed, gap, ...feed])).toEqual([])
  expect(leftOut([...feed, { ...gap, book: 2 }, ...feed])).toEqual([4, 5, 6])
  expect(leftOut([...feed, { ...gap, book: 0 }, ...feed])).toEqual([])
  const trades = feed.map((row) => ({ ...row, mark: TRADE_MARK }))
  expect(leftOut([...trades, ...trades])).toEqual([])
})

// A record that a stretch of a capture repeats is left out. A message that the venue sent twice is not.

import { expect, test } from 'bun:test'
import { emptySequence, GAP_MARK, TIMED_MARK, TRADE_MARK } from './record-sequence.ts'
import { repeatedRecords } from './repeated-records.ts'

type Row = { id: number; ms: number; received?: number; mark?: number; book?: number }

/** Returns the numbers of the records that are left out. */
function leftOut(rows: readonly Row[], stretchStarts: number[] = []): number[] {
  const sequence = emptySequence(rows.length)
  const receivedMs = new Float64Array(rows.length)
  for (const [i, { id, ms, received = Number.NaN, mark = TIMED_MARK, book = 1 }] of rows.entries()) {
    sequence.timesMs[i] = ms
    sequence.marks[i] = mark
    sequence.books[i] = book
    sequence.hashes[i] = BigInt(id)
    receivedMs[i] = received
  }
  return [...repeatedRecords({ sequence, receivedMs, stretchStarts })].flatMap((left, i) => (left === 1 ? [i] : []))
}

const feed: Row[] = [0, 1, 2].map((i) => ({ id: i, ms: 100 * i, received: 100 * i + 5 }))

test('a feed that comes twice is there once', () => {
  expect(leftOut([...feed, ...feed])).toEqual([3, 4, 5])
  expect(leftOut([...feed, ...feed.slice(1), ...feed])).toEqual([3, 4, 5, 6, 7])
})

test('a stretch may begin without a step back of event times', () => {
  const quick = feed.map((row) => ({ ...row, ms: 200 }))
  expect(leftOut([...quick, ...quick])).toEqual([])
  expect(leftOut([...quick, ...quick], [3])).toEqual([3, 4, 5])
  expect(leftOut([feed[0]!, feed[0]!], [1])).toEqual([1])
})

test('stretches have the same record only if it was received at the same time, runs in any case', () => {
  const other = feed.map((row) => ({ ...row, ms: 200, received: row.received! + 1 }))
  expect(leftOut([...feed.map((row) => ({ ...row, ms: 200 })), ...other], [3])).toEqual([])
  expect(leftOut([...feed, ...other.map((row, i) => ({ ...row, ms: 100 * i }))])).toEqual([3, 4, 5])
})

test('a record that a stretch repeats counts once in its run', () => {
  const same = feed.map((row) => ({ ...row, ms: 200 }))
  expect(leftOut([...same, ...same, ...feed, { ...feed[0]!, ms: 200 }], [3])).toEqual([3, 4, 5, 6, 7, 8])
})

test('a message that the venue sent twice stays twice: as often as in the stretch that has it most often', () => {
  const twice = [feed[0]!, feed[1]!, feed[1]!, feed[2]!]
  expect(leftOut(twice)).toEqual([])
  expect(leftOut([...feed, ...twice])).toEqual([3, 4, 6])
  expect(leftOut([...twice, ...feed])).toEqual([4, 5, 6])
})

test('in a stretch, no record after a gap equals one before it, and trades with an id are not compared', () => {
  const gap = { id: 7, ms: 300, received: 400, mark: GAP_MARK }
  const whole = [...feed, gap, { ...feed[2]!, ms: 400 }]
  expect(leftOut([...whole, ...whole])).toEqual([5, 6, 7, 8, 9])
  expect(leftOut([...whole, ...feed, { ...feed[2]!, ms: 400 }])).toEqual([5, 6, 7])
  expect(leftOut([...whole, ...feed, { ...gap, id: 8, book: 2 }, { ...feed[2]!, ms: 400 }])).toEqual([5, 6, 7])
  const trades = feed.map((row) => ({ ...row, mark: TRADE_MARK }))
  expect(leftOut([...trades, ...trades])).toEqual([])
})

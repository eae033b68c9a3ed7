// Tests the gap if a loss is found only after a later snapshot, and which books are established.

import { expect, test } from 'bun:test'
import { GapTracker } from './gap-tracker.ts'

const DISCONNECT = { reason: 'disconnect', scope: 'connection' } as const
const taken = (by: 'snapshot' | 'rest_book') => ({ market: 'A', by })

/** Returns the gaps of a book with a snapshot at 1,000 ms and the next at 9,000 ms, on a socket that had received
 *  everything up to 400 ms. */
function gapsAfter(by: 'snapshot' | 'rest_book', connection: string) {
  const tracker = new GapTracker('kalshi')
  tracker.add('A', 'A', 'socket')
  tracker.snapshot('A', taken(by), { nowMs: 1_000, storedMs: 1_000, connection })
  const lossLines = tracker.lose('A', DISCONNECT, { fromMs: 400, nowMs: 5_000, connection: 'socket' })
  const next = { nowMs: 9_000, storedMs: 9_000, connection: 'socket' }
  const lines = [...lossLines, ...tracker.snapshot('A', taken('snapshot'), next)]
  return lines.map(({ msg: { from, to, closed_by } }) => [from, to, closed_by])
}

test('a gap starts after the last snapshot if its own socket sent it: nothing before it is missing', () => {
  expect(gapsAfter('snapshot', 'socket')).toEqual([[1_001, 9_000, 'snapshot']])
})

test('a snapshot from REST or another socket splits a gap: it does not show what the socket missed', () => {
  const both: ReturnType<typeof gapsAfter> = [
    [400, 1_001, 'end'],
    [1_001, 9_000, 'snapshot'],
  ]
  expect(gapsAfter('rest_book', 'socket')).toEqual(both)
  expect(gapsAfter('snapshot', 'another socket')).toEqual(both)
})

test('the state of a socket has both parts of an open gap, and whether it sent the last snapshot', () => {
  const tracker = new GapTracker('kalshi')
  for (const book of ['A', 'B', 'C']) tracker.add(book, book, 'socket')
  const at = { nowMs: 1_000, storedMs: 1_000, connection: 'socket' }
  tracker.snapshot('A', { market: 'A', by: 'rest_book' }, at)
  tracker.snapshot('B', { market: 'B', by: 'snapshot' }, at)
  tracker.snapshot('C', { market: 'C', by: 'rest_book' }, at)
  tracker.lose('A', DISCONNECT, { fromMs: 400, nowMs: 5_000, connection: 'socket' })
  expect(tracker.carriedSince(['A', 'B', 'C'], 500, 'socket')).toEqual({
    books: ['A', 'B', 'C'],
    lost: { A: 1_001 },
    before: { A: 400, C: 500 },
    snapshots: { B: 1_000, C: 1_000 },
  })
})

test('a change with an earlier time does not bring a snapshot before the gap that it closed', () => {
  const tracker = new GapTracker('kalshi', () => -300)
  tracker.add('A', 'A', 'socket', { market: 'A', untilMs: 500 })
  tracker.snapshot('A', taken('snapshot'), { nowMs: 1_300, storedMs: 1_000, connection: 'socket' })
  tracker.changed('A', { market: 'A', hash: undefined, venueMs: 1_280, receivedMs: 1_010 }, 1_310)
  tracker.lose('A', DISCONNECT, { fromMs: 1_280, nowMs: 5_000, connection: 'socket' })
  expect(tracker.carried(['A']).lost).toEqual({ A: 1_301 })
})

test('a change neither loses nor establishes a book; a book that was never received has no gap', () => {
  const tracker = new GapTracker('kalshi')
  tracker.add('A', 'A', 'socket')
  const change = (nowMs: number) =>
    tracker.changed('A', { market: 'A', hash: undefined, venueMs: nowMs, receivedMs: nowMs }, nowMs)
  const lose = () => tracker.lose('A', DISCONNECT, { fromMs: 4_000, nowMs: 5_000, connection: 'socket' })
  lose()
  expect(tracker.carried(['A']).lost).toEqual({})
  tracker.snapshot('A', taken('snapshot'), { nowMs: 1_000, storedMs: 1_000, connection: 'socket' })
  change(3_000)
  expect([tracker.trustOf('A'), tracker.whole]).toEqual(['established', 1])
  lose()
  expect(tracker.carried(['A']).lost).toEqual({ A: 4_000 })
  change(6_000)
  expect([tracker.trustOf('A'), tracker.whole]).toEqual(['lost', 0])
  tracker.snapshot('A', taken('snapshot'), { nowMs: 7_000, storedMs: 7_000, connection: 'socket' })
  expect([tracker.trustOf('A'), tracker.whole]).toEqual(['established', 1])
})

test('a book that contradicts itself is doubtful until the next snapshot, and misses nothing', () => {
  const tracker = new GapTracker('kalshi')
  tracker.add('A', 'A', 'c')
  tracker.contradicted('A')
  expect([tracker.trustOf('A'), tracker.whole]).toEqual(['unknown', 0])
  const at = { nowMs: 10, storedMs: 10, connection: 'c' }
  tracker.snapshot('A', { market: 'A', by: 'snapshot' }, at)
  tracker.contradicted('A')
  expect([tracker.trustOf('A'), tracker.whole]).toEqual(['doubtful', 1])
  expect(tracker.snapshot('A', { market: 'A', by: 'snapshot' }, at)).toEqual([])
  expect([tracker.trustOf('A'), tracker.whole]).toEqual(['established', 1])
})

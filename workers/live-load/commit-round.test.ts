// A commit is over when every segment had its turn and nothing waits. It counts what was stored.

import { expect, test } from 'bun:test'
import { CommitRound } from './commit-round.ts'

const batch = (of: { messages: number; receivedMs?: number; skipped?: Record<string, number> }) =>
  ({
    counts: { messages: of.messages, gaps: 1, rejected: 2, skipped: of.skipped ?? {} },
    ...{ committed: { recordsAdded: 3 }, audits: 4, firstReceivedMs: of.receivedMs ?? Number.POSITIVE_INFINITY },
  }) as never

test('counts add up, and the lag is the age of the oldest message', () => {
  const round = new CommitRound([{} as never])
  expect(round.isOver).toBe(false)
  round.sources.length = 0
  round.batch = batch({ messages: 5, skipped: { pong: 1 } })
  expect(round.isOver).toBe(false)
  round.stored(100)
  expect([round.totals.lagMs, round.isOver]).toEqual([null, true])
  for (const receivedMs of [40, 80]) {
    round.batch = batch({ messages: 6, receivedMs, skipped: { pong: 2 } })
    round.stored(100)
  }
  expect(round.totals).toEqual({
    messages: 17,
    gaps: 3,
    rejected: 6,
    skipped: { pong: 5 },
    recordsAdded: 9,
    audits: 12,
    lagMs: 60,
  })
})

// Tests what the candles tool reports about gaps.

import { expect, test } from 'bun:test'
import { type Losses, lossesIn } from './losses.ts'

const at = (second: number) => Date.UTC(2026, 7, 10, 12, 0, second)
const lines = ['timestamp,quote_count', ...[0, 1, 2].map((second) => `${at(second)},1`)]
const options = { lines, bucketMs: 1_000, book: null }
const gaps = (...recorded: [from: number | null, to: number | null][]): Losses => ({
  dates: [
    { gaps: recorded.map(([from, to]) => ({ from, to, timestamp: at(1), reason: 'reconnect' })), inferred_gaps: [] },
  ],
})

test('reports gaps within the time of the rows', () => {
  expect(lossesIn(gaps([at(1), at(2)]), options)).toBe(
    'Recorded gaps in this time: 1 (reconnect 2026-08-10T12:00:01.000Z to 2026-08-10T12:00:02.000Z).',
  )
  expect(lossesIn(gaps([null, null]), options)).toContain('(reconnect 2026-08-10T12:00:01.000Z to unknown)')
  expect(lossesIn(gaps([at(-9), at(0)], [at(3), at(9)]), options)).toBe('')
  expect(lossesIn(gaps([at(1), at(2)]), { ...options, lines: [lines[0]!] })).toBe('')
  expect(lossesIn({}, options)).toBe('')
})

test('reports inferred gaps as doubtful, and omits those of another book', () => {
  const inferred = { from: at(0), to: null, reason: 'snapshot_contradicts', book: '1' }
  const losses = { dates: [{ gaps: [], inferred_gaps: Array.from({ length: 11 }, () => inferred) }] }
  const lossText = lossesIn(losses, { ...options, book: '1' })
  expect(lossText).toStartWith(
    'Inferred gaps, in which prices and sizes are doubtful: 11 (snapshot_contradicts 2026-08-10',
  )
  expect(lossText).toEndWith('; …).')
  expect(lossesIn(losses, { ...options, book: '2' })).toBe('')
})

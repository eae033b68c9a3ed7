// A venue's own time counts if it is within an hour of the receipt, and if the message is not a stale book of
// Polymarket.

import { expect, test } from 'bun:test'
import { isBelievable } from './believable-time.ts'

const NOW = Date.UTC(2026, 7, 10, 12)
const HOUR = 3_600_000
const believes = (
  venueMs: number,
  receivedMs = NOW,
  kind: 'delta' | 'snapshot' = 'delta',
  venue: 'kalshi' | 'polymarket' = 'polymarket',
) => isBelievable(venue, kind, venueMs, receivedMs, NOW)

test('within an hour of its receipt, either way', () => {
  expect([-HOUR, -HOUR - 1, HOUR, HOUR + 1].map((by) => believes(NOW + by))).toEqual([true, false, true, false])
})

test('without a receipt, within the years in which the venues exist', () => {
  const all = [Date.UTC(2019, 11, 31), Date.UTC(2020, 0, 1), NOW + 24 * HOUR, NOW + 24 * HOUR + 1, Number.NaN]
  expect(all.map((ms) => believes(ms, Number.NaN))).toEqual([false, true, true, false, false])
})

test('a book of Polymarket states its last change, which may be old; Kalshi’s is when it was sent', () => {
  expect([-60_000, -60_001, 5 * HOUR].map((by) => believes(NOW + by, NOW, 'snapshot'))).toEqual([true, false, true])
  expect(believes(NOW - 5 * HOUR, NOW, 'snapshot', 'kalshi')).toBe(true)
})

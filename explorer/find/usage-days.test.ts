// Sums requests by day: the hours of a day are one row, and days without requests have a row.

import { expect, test } from 'bun:test'
import { usedDays } from './usage-days.ts'

test('hours are added up by their UTC day', () => {
  const hours = [
    { hour: '2026-06-29T23:00:00.000Z', count: 9 },
    { hour: '2026-07-01T00:00:00.000Z', count: 2 },
    { hour: '2026-07-01T23:00:00.000Z', count: 3 },
  ]
  expect(usedDays(hours, 3, Date.parse('2026-07-02T00:30:00Z'))).toEqual([
    { date: '2026-06-30', count: 0 },
    { date: '2026-07-01', count: 5 },
    { date: '2026-07-02', count: 0 },
  ])
})

// A date is a UTC day.

import { expect, test } from 'bun:test'
import { DAY_MS, dateStartMs, utcDate } from './units.ts'

test('a date is from its first millisecond to its last', () => {
  const start = dateStartMs('2026-08-10')
  expect(start).toBe(Date.UTC(2026, 7, 10))
  expect([start - 1, start, start + DAY_MS - 1, start + DAY_MS].map(utcDate)).toEqual([
    '2026-08-09',
    '2026-08-10',
    '2026-08-10',
    '2026-08-11',
  ])
})

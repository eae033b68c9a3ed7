// Finds the days on which both books were recorded.

import { expect, test } from 'bun:test'
import { commonDates } from './common-dates.ts'

const day = (date: string, first_timestamp: number, last_timestamp: number) => ({
  date,
  first_timestamp,
  last_timestamp,
})

test('a common day spans from the first record of either book to the last', () => {
  const first = [day('2026-08-09', 1, 2), day('2026-08-10', 10, 20), day('2026-08-11', 35, 36)]
  const second = [day('2026-08-10', 5, 15), day('2026-08-11', 31, 40), day('2026-08-12', 50, 60)]
  const common = [day('2026-08-10', 5, 20), day('2026-08-11', 31, 40)]
  expect([commonDates(first, second), commonDates(second, first)]).toEqual([common, common])
  expect([commonDates(null, second), commonDates(first, null), commonDates(first, [])]).toEqual([null, null, []])
})

// Tests hours and months of UTC.

import { expect, test } from 'bun:test'
import { hourOf, monthOf, monthStartMs, nextMonthStartMs } from './calendar.ts'

test.each([
  ['2026-11-21T13:59:59.999Z', '2026-11-21T13:00:00Z', '2026-11', '2026-11-01', '2026-12-01'],
  ['2026-12-31T23:59:59.999Z', '2026-12-31T23:00:00Z', '2026-12', '2026-12-01', '2027-01-01'],
  ['2028-02-29T00:00:00.000Z', '2028-02-29T00:00:00Z', '2028-02', '2028-02-01', '2028-03-01'],
])('%s', (time, hour, month, start, next) => {
  const ms = Date.parse(time)
  expect([hourOf(ms), monthOf(ms)]).toEqual([hour, month])
  expect([monthStartMs(ms), nextMonthStartMs(ms)]).toEqual([Date.parse(start), Date.parse(next)])
})

// Tests how reliable the stored data of a date is.

import { expect, test } from 'bun:test'
import { conditionOf } from './day-condition.ts'

test.each([
  ['kalshi', '2026-03-30', undefined, 'missing', []],
  ['kalshi', '2026-03-30', 0, 'available', []],
  ['kalshi', '2026-03-30', 1, 'degraded', []],
  ['kalshi', '2026-03-31', 0, 'degraded', ['parser_issue']],
  ['kalshi', '2026-04-24', undefined, 'missing', ['parser_issue']],
  ['kalshi', '2026-04-25', 0, 'available', []],
  ['polymarket', '2026-04-24', 0, 'degraded', ['capture_gap_windows']],
  ['polymarket', '2026-05-04', 0, 'available', []],
] as const)('%s on %s with %p gaps is %s', (venue, date, gaps, condition, incidents) => {
  expect(conditionOf(venue, date, gaps)).toEqual({ condition, incidents: [...incidents] })
})

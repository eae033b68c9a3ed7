// Tests the known incidents on their first and last days and on the days around them.

import { expect, test } from 'bun:test'
import { incidentsOn } from './known-incidents.ts'

test.each([
  ['kalshi', '2026-03-30', []],
  ['kalshi', '2026-03-31', ['parser_issue']],
  ['kalshi', '2026-04-24', ['parser_issue']],
  ['kalshi', '2026-04-25', []],
  ['kalshi', '2026-05-03', []],
  ['kalshi', '2026-05-04', ['storage_ingestion_gap']],
  ['kalshi', '2026-05-11', ['storage_ingestion_gap']],
  ['kalshi', '2026-05-12', []],
  ['polymarket', '2026-03-31', []],
  ['polymarket', '2026-04-01', ['capture_gap_windows']],
  ['polymarket', '2026-04-30', ['capture_gap_windows']],
  ['polymarket', '2026-05-04', []],
] as const)('%s on %s: %p', (venue, date, names) =>
  expect(incidentsOn(venue, date).map(({ name }) => name)).toEqual([...names]),
)

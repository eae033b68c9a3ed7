// Goal: times are printed as Kalshi's WebSocket prints them, whichever name and form they are stored under.

import { expect, test } from 'bun:test'
import { parseExactly } from '../exact-json.ts'
import { kalshiTimes } from './kalshi-times.ts'

const MS = Date.UTC(2026, 7, 10, 12) + 250

test.each([
  [{ ts: '2026-08-10T12:00:00.25Z' }],
  [{ ts_ms: MS }],
  [{ created_time: '2026-08-10T12:00:00.250Z' }],
  [{ timestamp: MS, ts: 5 }],
])('%j', (stored) => {
  const msg = parseExactly(JSON.stringify(stored))
  expect(kalshiTimes('delta', msg)).toEqual({ ts: '2026-08-10T12:00:00.25Z', ts_ms: MS })
  expect(kalshiTimes('trade', msg)).toEqual({ ts: Math.floor(MS / 1_000), ts_ms: MS })
})

test('a whole second has no fraction; a missing or invalid time has no fields', () => {
  expect(kalshiTimes('delta', { ts: '2026-08-10T12:00:00Z' })['ts']).toBe('2026-08-10T12:00:00Z')
  expect(kalshiTimes('delta', {})).toEqual({})
  expect(kalshiTimes('delta', { ts: 'noon' })).toEqual({})
})

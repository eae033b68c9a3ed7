// Prints a zone as its name and its offset from UTC at the instant. Prints durations that stay below their next unit.

import { expect, test } from 'bun:test'
import { durationText, zoneText } from './time-text.ts'

test.each([
  ['UTC', 'UTC'],
  ['America/New_York', 'America/New_York, UTC−4'],
  ['Asia/Kolkata', 'Asia/Kolkata, UTC+5:30'],
  ['Europe/London', 'Europe/London, UTC+1'],
])('%s', (zone, text) => {
  expect(zoneText(zone, Date.parse('2026-07-20T12:00:00Z'))).toBe(text)
})

test.each([
  [999, '999 ms'],
  [3_250, '3.2 s'],
  [59_999, '59.9 s'],
  [60_000, '1 min 0 s'],
  [3_599_999, '59 min 59 s'],
  [86_399_999, '23 h 59 min'],
])('%d ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

// A zone is told by its name and by how far it is ahead of UTC at the instant.

import { expect, test } from 'bun:test'
import { zoneText } from '../../../explorer/state/time-text.ts'

test.each([
  ['UTC', 'UTC'],
  ['America/New_York', 'America/New_York, UTC−4'],
  ['Asia/Kolkata', 'Asia/Kolkata, UTC+5:30'],
  ['Europe/London', 'Europe/London, UTC+1'],
])('%s', (zone, text) => {
  expect(zoneText(zone, Date.parse('2026-07-20T12:00:00Z'))).toBe(text)
})

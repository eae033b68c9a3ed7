// Prints a span of time in words.

import { expect, test } from 'bun:test'
import { rangeText } from './range-text.ts'

const span = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })

test.each([
  ['2026-07-20T12:00:00Z', '2026-07-20T12:59:59.999Z', 'UTC', '2026-07-20 12:00:00 to 12:59:59.999 UTC'],
  ['2026-07-20T23:00:00Z', '2026-07-21T01:00:00Z', 'UTC', '2026-07-20 23:00:00 to 2026-07-21 01:00:00 UTC'],
])('from %s to %s in %s', (from, to, zone, text) => expect(rangeText(span(from, to), zone)).toBe(text))

test('does not repeat the date if both ends have the same date in the zone', () => {
  const text = rangeText(span('2026-07-20T23:00:00Z', '2026-07-21T01:00:00Z'), 'America/New_York')
  expect(text).toStartWith('2026-07-20 19:00:00 to 21:00:00 ')
})

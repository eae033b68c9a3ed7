// Parses what a person types to go to a time.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { clockText, instantText } from '../../state/time-text.ts'
import { instantTyped } from './typed-instant.ts'

const NEAR = Date.parse('2026-07-20T12:00:00Z')
const at = (text: string) => Date.parse(text)

test.each([
  ['14:13', 'UTC', '2026-07-20T14:13:00Z'],
  ['4:13', 'UTC', '2026-07-20T04:13:00Z'],
  ['14:13:45', 'UTC', '2026-07-20T14:13:45Z'],
  ['14:13:45.12', 'UTC', '2026-07-20T14:13:45.120Z'],
  ['14:13:45,120', 'UTC', '2026-07-20T14:13:45.120Z'],
  [' 2026-08-01 14:13 ', 'UTC', '2026-08-01T14:13:00Z'],
  ['2026-08-01T14:13:45.001Z', 'Europe/Berlin', '2026-08-01T14:13:45.001Z'],
  ['14:13', 'Europe/Berlin', '2026-07-20T12:13:00Z'],
  ['2026-01-20 14:13', 'America/New_York', '2026-01-20T19:13:00Z'],
  // The time is an hour after New York's clocks were put forward at 2:00.
  ['2026-03-08 04:00', 'America/New_York', '2026-03-08T08:00:00Z'],
  ['1784556206322', 'UTC', new Date(1784556206322).toISOString()],
])('%j in %s', (typed, zone, expected) => {
  expect(instantTyped(typed, NEAR, zone)).toBe(at(expected))
})

test.each(['', 'noon', '25:00', '14:60', '2026-02-30 10:00', '14', '14:13:45.1234'])('%j is not a time', (typed) => {
  expect(instantTyped(typed, NEAR, 'UTC')).toBeNull()
})

test('the time that the clock shows parses to the same instant', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu')
  const instants = fc.integer({ min: at('2026-04-10T00:00:00Z'), max: at('2026-09-20T00:00:00Z') })
  fc.assert(
    fc.property(instants, zones, (ms, zone) => {
      expect(instantTyped(clockText(ms, zone), ms, zone)).toBe(ms)
      expect(instantTyped(instantText(ms, zone), NEAR, zone)).toBe(ms)
    }),
  )
})

// The weekly maintenance.

import { describe, expect, test } from 'bun:test'
import { isInWindow } from './protocol.ts'

describe('isInWindow', () => {
  const thursday = { day: 4, fromMinute: 180, toMinute: 300, timeZone: 'America/New_York' }

  test.each([
    ['2026-08-13T06:59:59.999Z', false],
    ['2026-08-13T07:00:00.000Z', true],
    ['2026-08-13T08:59:59.999Z', true],
    ['2026-08-13T09:00:00.000Z', false],
    ['2026-08-12T08:00:00.000Z', false],
    // An hour later by UTC in winter.
    ['2026-12-10T07:30:00.000Z', false],
    ['2026-12-10T08:30:00.000Z', true],
  ])('%s: %p', (at, expected) => expect(isInWindow(thursday, Date.parse(at))).toBe(expected))

  test('reaches past midnight, and past the end of the week', () => {
    const saturday = { day: 6, fromMinute: 1_380, toMinute: 60, timeZone: 'UTC' }
    const at = (text: string) => isInWindow(saturday, Date.parse(text))
    expect([at('2026-08-15T22:59:00Z'), at('2026-08-15T23:00:00Z'), at('2026-08-16T00:59:00Z')]).toEqual([
      false,
      true,
      true,
    ])
    expect(at('2026-08-16T01:00:00Z')).toBe(false)
  })
})

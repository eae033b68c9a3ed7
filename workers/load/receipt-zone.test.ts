// A recorder's clock in a time zone other than UTC is refused, and no other clock.

import { expect, test } from 'bun:test'
import { ReceiptZone } from './receipt-zone.ts'

const HOUR_MS = 3_600_000
const VENUE_MS = Date.parse('2026-08-11T02:30:00Z')

/** Returns the fault. `apart`: hours from the venue's time to the receipt, one per message. */
function faultOf(apart: readonly number[], lateMs = 80): string | undefined {
  const zone = new ReceiptZone()
  for (const [i, hours] of apart.entries()) {
    const venueMs = VENUE_MS + i * 1_000
    zone.note(venueMs, venueMs + hours * HOUR_MS + lateMs)
  }
  try {
    zone.check()
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}

test.each([
  [[-4, -4, -4], '04:00 behind those of the venue in all 3 messages with both', 'T22:30:00-04:00'],
  [[5.5, 5.5, 5.5, 5.5], '05:30 ahead of those of the venue in all 4 messages', 'T22:30:00+05:30'],
  [[14, 14, 14], '14:00 ahead of', '+14:00'],
  [[-1, -1, -1], '01:00 behind', '-01:00'],
])('hours %p', (apart, errorPart, zone) => {
  expect(faultOf(apart)).toContain(errorPart)
  expect(faultOf(apart)).toContain(zone)
})

test.each([
  ['too few', [-4, -4]],
  ['one that agrees, before or after', [0, -4, -4, -4]],
  ['one that agrees after', [-4, -4, -4, 0]],
  ['two offsets', [-4, -4, -5, -4]],
  ['more than any zone', [-15, -15, -15]],
  ['no offset of a zone', [-4.1, -4.1, -4.1]],
  ['less than any zone', [0.5, 0.5, 0.5]],
])('is none: %s', (_, apart) => expect(faultOf(apart)).toBeUndefined())

test('an hour apart, more or less, is the zone', () => {
  expect(faultOf([1, 1, 1], 4)).toContain('01:00 ahead')
  expect(faultOf([1, 1, 1], -3)).toContain('01:00 ahead')
})

test('missing times say nothing', () => {
  const zone = new ReceiptZone()
  for (const [venueMs, receivedMs] of [
    [Number.NaN, VENUE_MS],
    [VENUE_MS, Number.NaN],
    [Number.NaN, VENUE_MS],
  ])
    zone.note(venueMs!, receivedMs!)
  expect(() => zone.check()).not.toThrow()
})

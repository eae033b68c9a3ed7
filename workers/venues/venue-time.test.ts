// Goal: a venue's time is read in every spelling that venues and archives use, and nothing else is accepted as a time.

import { describe, expect, test } from 'bun:test'
import { receivedMsOf } from '../capture/line-frame.ts'
import { venueTimeUs } from './venue-time.ts'

const NOON_US = Date.parse('2026-08-10T12:00:00Z') * 1_000
const within = (text: string) => Buffer.from(`<${text}>`)

describe('venueTimeUs', () => {
  test.each([
    ['1786363200000', NOON_US],
    ['1786363200', NOON_US],
    ['1786363200.25', NOON_US + 250_000],
    ['1786363200000.125', NOON_US + 125],
    ['2026-08-10T12:00:00Z', NOON_US],
    ['2026-08-10T12:00:00.000001Z', NOON_US + 1],
    ['2026-08-10T12:00:00.100000Z', NOON_US + 100_000],
    ['2026-08-10T12:00:00.123456789Z', NOON_US + 123_456],
    ['2026-08-10T14:00:00+02:00', NOON_US],
    ['2026-08-10T07:00:00.5-0500', NOON_US + 500_000],
    ['2026-08-10 12:00:00', NOON_US],
    ['2026-08-10T12:00:00z', NOON_US],
  ])('reads %s', (text, expectedUs) => {
    const bytes = within(text)
    expect(venueTimeUs(bytes, 1, bytes.length - 1)).toBe(expectedUs)
  })

  test.each(['', 'never', '-5', 'NaN', '2026-08-10', '2026-13-10T12:00:00Z', '99999999999999999999', '1e400', 'null'])(
    'takes "%s" for no time',
    (text) => {
      const bytes = within(text)
      expect(venueTimeUs(bytes, 1, bytes.length - 1)).toBeNaN()
    },
  )
})

describe('receivedMsOf', () => {
  const NOON_MS = NOON_US / 1_000
  test.each([
    ['1786363200000', NOON_MS],
    ['1786363200.75', NOON_MS + 750],
    ['1786363200000.9', NOON_MS],
    ['2026-08-10T12:00:00.123456Z', NOON_MS + 123],
    ['2026-08-10T12:00:00.123456789+00:00', NOON_MS + 123],
  ])('reads %s', (text, expectedMs) => {
    const bytes = within(text)
    expect(receivedMsOf(bytes, 1, bytes.length - 1)).toBe(expectedMs)
  })

  test.each(['', 'never', '-1', '0', '12345', '1e300', '1e400', '178636320000000000', '17863632000000000000'])(
    'takes "%s" for no time',
    (text) => {
      const bytes = within(text)
      expect(receivedMsOf(bytes, 1, bytes.length - 1)).toBeNaN()
    },
  )
})

// Tests times in every form that endpoints, commands and tools accept.

import { expect, test } from 'bun:test'
import { asGiven, isZonedTime, moment, momentRange, unitOf } from './moment.ts'

const accepts = (text: string) => moment('').matches(text)

test.each([
  ['1790000000', '1790000000', 1_790_000_000_000, 1_790_000_000_999],
  ['1790000000000', '1790000000005', 1_790_000_000_000, 1_790_000_000_005],
  ['2026-11-21', '2026-11-21', Date.parse('2026-11-21'), Date.parse('2026-11-22') - 1],
  ['1970-01-01T00:00:00Z', '9999-12-31', 0, Date.parse('9999-12-31T23:59:59.999Z')],
  ['1970-01-01T00:00:00-12:00', '9999-12-31T23:59:59+12:00', 43_200_000, Date.parse('9999-12-31T11:59:59.999Z')],
  ['2026-11-21T12:00:00Z', '2026-11-21T14:00:00.000+01:00', ...[12, 13].map((hour) => Date.UTC(2026, 10, 21, hour))],
  ['2026-11-21T12:00:00.0009Z', '2026-11-21T12:00:00Z', ...[0, 999].map((ms) => Date.UTC(2026, 10, 21, 12) + ms)],
  ['99999999999', '99999999999', 99_999_999_999_000, 99_999_999_999_999],
  ['100000000000', '99999999999999', 100_000_000_000, 99_999_999_999_999],
  ['100000000000000', '253402300799999999', 100_000_000_000, Date.parse('9999-12-31T23:59:59.999Z')],
  ['1790000000000999', '1790000000005001', 1_790_000_000_000, 1_790_000_000_005],
] as [string, string, number, number][])('%s to %s', (start, end, fromMs, toMs) => {
  expect([accepts(start), accepts(end)]).toEqual([true, true])
  expect(momentRange(start, end)).toEqual({ fromMs, toMs })
})

test.each([
  '',
  'now',
  '-1',
  '1e9',
  '2026-02-30',
  '2026-11-21T12:00:00',
  '2026-13-01T00:00:00Z',
  '2027-02-30T00:00:00Z',
  '253402300800000000',
  '1786410420.5',
  '9999-12-31T23:59:59-12:00',
  '9999-12-31T24:00:00Z',
  '1970-01-01T00:00:00+00:01',
])('%s is not accepted', (text) => expect(accepts(text)).toBe(false))

test.each([
  ['99999999999', 'seconds'],
  ['100000000000', 'milliseconds'],
  ['99999999999999', 'milliseconds'],
  ['100000000000000', 'microseconds'],
  ['2026-11-21', null],
] as const)('the unit of %s is %s', (text, unit) => expect(unitOf(text)).toBe(unit))

test('numbers are returned as numbers', () => expect([asGiven('5'), asGiven('2026-11-21')]).toEqual([5, '2026-11-21']))
test('a time has a zone', () =>
  expect([isZonedTime('2026-11-21T12:00Z'), isZonedTime('2026-11-21')]).toEqual([true, false]))

// Moments of the management endpoints, in every form.

import { expect, test } from 'bun:test'
import { asGiven, isZonedTime, moment, momentRange } from '../../../../src/http/parameters/moment.ts'

const accepts = (text: string) => moment('').matches(text)

test.each([
  ['1790000000', '1790000000', 1_790_000_000_000, 1_790_000_000_999],
  ['1790000000000', '1790000000005', 1_790_000_000_000, 1_790_000_000_005],
  ['2026-11-21', '2026-11-21', Date.parse('2026-11-21'), Date.parse('2026-11-22') - 1],
  ['1970-01-01T00:00:00Z', '9999-12-31', 0, Date.parse('9999-12-31T23:59:59.999Z')],
  ['1970-01-01T00:00:00-12:00', '9999-12-31T23:59:59+12:00', 43_200_000, Date.parse('9999-12-31T11:59:59Z')],
  ['2026-11-21T12:00:00Z', '2026-11-21T14:00:00+01:00', ...[12, 13].map((hour) => Date.UTC(2026, 10, 21, hour))],
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
  '999999999999999',
  '9999-12-31T23:59:59-12:00',
  '9999-12-31T24:00:00Z',
  '1970-01-01T00:00:00+00:01',
])('%s is none', (text) => expect(accepts(text)).toBe(false))

test('numbers are given back as numbers', () =>
  expect([asGiven('5'), asGiven('2026-11-21')]).toEqual([5, '2026-11-21']))
test('a time has a zone', () =>
  expect([isZonedTime('2026-11-21T12:00Z'), isZonedTime('2026-11-21')]).toEqual([true, false]))

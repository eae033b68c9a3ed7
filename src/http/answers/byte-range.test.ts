// Tests which bytes a Range header requests: RFC 9110, sections 13.1.5 and 14.

import { expect, test } from 'bun:test'
import { byteRangeOf } from './byte-range.ts'

const ETAG = '"abc"'
const of = (range: string, more: Record<string, string> = {}, size = 10) =>
  byteRangeOf(new Headers({ range, ...more }), ETAG, size)

test.each([
  ['bytes=0-0', [0, 0]],
  ['bytes=0-9', [0, 9]],
  ['bytes=3-', [3, 9]],
  ['bytes=9-', [9, 9]],
  ['bytes=5-100', [5, 9]],
  ['bytes=-1', [9, 9]],
  ['bytes=-10', [0, 9]],
  ['bytes=-99', [0, 9]],
  ['BYTES=2-4', [2, 4]],
  ['bytes=0-9007199254740991', [0, 9]],
])('%s is bytes %p of ten', (range, [first, last]) => expect(of(range)).toEqual({ first: first!, last: last! }))

test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=9999999999999999-'])('%s is outside of ten bytes', (range) =>
  expect(of(range)).toBe('none'),
)

test.each([
  'bytes=',
  'bytes=-',
  'bytes=4-2',
  'bytes=0-1,3-4',
  'lines=0-1',
  'bytes=a-b',
  'bytes=0x1-2',
  'bytes 0-1',
  '0-1',
])('%s is ignored', (range) => expect(of(range)).toBeNull())

test('an empty file has no bytes', () => {
  expect([of('bytes=0-', {}, 0), of('bytes=-5', {}, 0)]).toEqual(['none', 'none'])
})

test('ignores a range of another file', () => {
  expect(of('bytes=2-4', { 'if-range': ETAG })).toEqual({ first: 2, last: 4 })
  for (const other of ['"abd"', 'W/"abc"', 'abc', 'Sat, 21 Nov 2026 10:54:05 GMT']) {
    expect(of('bytes=2-4', { 'if-range': other })).toBeNull()
    expect(of('bytes=20-', { 'if-range': other })).toBeNull()
  }
})

test('without a Range it is all of the file', () => expect(byteRangeOf(new Headers(), ETAG, 10)).toBeNull())

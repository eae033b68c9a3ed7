// Tests how a Retry-After header is understood.

import { expect, test } from 'bun:test'
import { retryAfterMs } from './retry-after.ts'

const NOW = Date.UTC(2026, 6, 20, 12)

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 3 ', 3_000],
  ['Mon, 20 Jul 2026 12:00:30 GMT', 30_000],
  ['Monday, 20-Jul-26 12:00:30 GMT', 30_000],
  ['Mon, 20 Jul 2026 11:59:00 GMT', 0],
  [null, null],
  ['', null],
  ['-1', null],
  ['1.5', null],
  ['soon', null],
  ['2026-07-20T12:00:30Z', null],
])('%j', (header, expected) => {
  expect(retryAfterMs(header, NOW) ?? null).toBe(expected)
})

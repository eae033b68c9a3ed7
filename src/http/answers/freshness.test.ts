// Tests how long a client may cache an answer.

import { expect, test } from 'bun:test'
import { freshnessOf } from './freshness.ts'

const NOON = Date.UTC(2026, 7, 12, 12)
const END_OF = (date: string) => Date.parse(`${date}T23:59:59.999Z`)

test.each([
  ['2026-08-10', '2026-08-10:abc ', 'private, max-age=3600'],
  ['2026-08-11', '2026-08-11:abc ', 'private, no-cache'],
  ['2026-08-12', '2026-08-12:abc ', 'private, no-cache'],
  ['2026-08-20', '2026-08-12:abc ', 'private, no-cache'],
  ['2026-08-10', '', 'private, no-cache'],
  ['2026-08-10', '2026-08-12:abc ', 'private, no-cache'],
])('a window to the end of %s, with stamp %p, is %s', (date, stamp, freshness) =>
  expect(freshnessOf(END_OF(date), NOON, [stamp])).toBe(freshness as 'private, no-cache'),
)

test('an answer about many markets may be cached only as long as each of them', () => {
  const of = (...stamps: string[]) => freshnessOf(END_OF('2026-08-10'), NOON, stamps)
  expect(of('2026-08-10:abc ', '2026-08-09:abc ')).toBe('private, max-age=3600')
  expect(of('2026-08-10:abc ', '')).toBe('private, no-cache')
  expect(of('2026-08-10:abc ', '2026-08-12:abc ')).toBe('private, no-cache')
})

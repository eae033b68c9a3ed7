// The encoder recognises a column that prints the event time in any unit, and one whose values repeat within quotes.

import { expect, test } from 'bun:test'
import { expectedAt, relationOf, repeatsWithinQuotes } from './row-clock.ts'

const T0 = Date.parse('2026-08-10T12:00:00.250Z')
const timesMs = Float64Array.from({ length: 10 }, (_, i) => T0 + i)
const clock = (...opensQuote: number[]) => ({ timesMs, opensQuote: Uint8Array.from(opensQuote) })

test.each([
  ['ms', T0],
  ['s', Math.floor(T0 / 1_000)],
  ['us', T0 * 1_000],
  ['none', 0],
] as const)('a time in %s is expected at %i', (relation, expected) => {
  expect(expectedAt(relation, T0)).toBe(expected)
})

test.each(['ms', 's', 'us'] as const)('most of a column near the event time in %s are related to it', (relation) => {
  const values = timesMs.map((ms) => expectedAt(relation, ms))
  // Fewer than half of the values are unrelated.
  for (let i = 0; i < 4; i++) values[i] = 42
  expect(relationOf(values, 10, clock())).toBe(relation)
  values[4] = 42
  expect(relationOf(values, 10, clock())).toBe('none')
})

test('an empty column has no relation', () => {
  expect(relationOf(new Float64Array(0), 0, clock())).toBe('none')
})

test('values repeat within quotes if only rows that open one change them', () => {
  expect(repeatsWithinQuotes(Float64Array.of(5, 5, 6, 6), 4, clock(1, 0, 1, 0))).toBe(true)
  expect(repeatsWithinQuotes(Float64Array.of(5, 5, 6, 7), 4, clock(1, 0, 1, 0))).toBe(false)
  // The first row has no row before it to repeat.
  expect(repeatsWithinQuotes(Float64Array.of(5, 5), 2, clock(0, 0))).toBe(false)
  // Every row opens a quote, so no value repeats.
  expect(repeatsWithinQuotes(Float64Array.of(5, 6), 2, clock(1, 1))).toBe(false)
})

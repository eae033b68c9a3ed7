// Consecutive changes of a book with one venue time are one quote; a snapshot is a quote of its own.

import { expect, test } from 'bun:test'
import type { RecordKind } from '../../storage/format/shape.ts'
import { QuoteClock } from './quote-clock.ts'

const NONE = Number.NaN

test('a snapshot, and a change with a new time, open a quote', () => {
  const clock = new QuoteClock()
  const steps: [book: number, RecordKind, us: number, opens: boolean][] = [
    [1, 'snapshot', 5, true],
    [1, 'delta', 5, true],
    [1, 'delta', 5, false],
    [2, 'delta', 5, true],
    [1, 'delta', 5, false],
    [1, 'trade', 5, false],
    [1, 'other', 6, false],
    [1, 'tick_size', 6, false],
    [1, 'delta', 5, false],
    [1, 'delta', 6, true],
    [1, 'gap', 6, false],
    [1, 'delta', 6, true],
    [1, 'delta', NONE, true],
    [1, 'delta', NONE, true],
    [1, 'snapshot', 6, true],
    [1, 'snapshot', 6, true],
  ]
  for (const [book, kind, us, opens] of steps) expect(clock.opensQuote(book, kind, us)).toBe(opens)
})

test('a clock continues from the state of another, and returns how each book began', () => {
  const clock = new QuoteClock([7, NONE])
  expect(clock.opensQuote(1, 'delta', 7)).toBe(false)
  expect(clock.opensQuote(2, 'delta', 7)).toBe(true)
  expect(clock.opensQuote(4, 'snapshot', 9)).toBe(true)
  expect(clock.opensQuote(4, 'delta', 9)).toBe(true)
  expect(clock.first()).toEqual([7, 7, NONE, NONE])
  expect(clock.state()).toEqual([7, 7, NONE, 9])
})

// Columns that follow the event time, in ms, seconds or microseconds, are read back unchanged.

import { describe, expect, test } from 'bun:test'
import { Random } from '../../../workers/synthetic/random.ts'
import { decodeNumbers, encodeNumbers } from './number-column.ts'
import type { RowClock } from './row-clock.ts'

const START_MS = Date.parse('2026-08-10T12:00:00Z')

function check(values: number[], clock: RowClock | undefined, relation?: string): void {
  const column = encodeNumbers(Float64Array.from(values), values.length, clock)
  if (relation !== undefined) expect(column.relation).toBe(relation as typeof column.relation)
  expect([...decodeNumbers(column, values.length, clock)]).toEqual(values)
}

function clockOf(count: number, random: Random): RowClock {
  const timesMs = new Float64Array(count)
  const opensQuote = new Uint8Array(count)
  for (let i = 0; i < count; i++) {
    timesMs[i] = (timesMs[i - 1] ?? START_MS) + random.pick([0, 0, 1, 30, 5_000])
    opensQuote[i] = i === 0 || random.chance(0.6) ? 1 : 0
  }
  return { timesMs, opensQuote }
}

describe('encodeNumbers', () => {
  test('round-trips numbers without a clock', () => check([5, -5, START_MS], undefined, 'none'))
  test('round-trips an empty column', () => check([], { timesMs: new Float64Array(0), opensQuote: new Uint8Array(0) }))

  test.each(Array.from({ length: 40 }, (_, index) => index + 1))('round-trips random columns, seed %d', (seed) => {
    const random = new Random(seed, 'numbers')
    const count = random.between(1, 400)
    const clock = clockOf(count, random)
    const times = [...clock.timesMs]
    const jitter = () => random.between(-50, 50)
    check(
      times.map((ms) => ms + jitter()),
      clock,
      'ms',
    )
    check(
      times.map((ms) => Math.floor(ms / 1_000) + random.below(2)),
      clock,
      's',
    )
    check(
      times.map((ms) => ms * 1_000 + random.below(1_000)),
      clock,
      'us',
    )
    check(
      times.map(() => random.between(-1_000, 1_000)),
      clock,
      'none',
    )
    check(
      times.map((ms) => (random.chance(0.5) ? ms : random.below(9))),
      clock,
    )
    // All rows of a quote have one venue time, as in Kalshi's `ts`. One row of the second column breaks this.
    const quotes = times.map((ms) => ms * 1_000)
    for (let i = 1; i < count; i++) if (clock.opensQuote[i] === 0) quotes[i] = quotes[i - 1]!
    check(quotes, clock, 'us')
    check(quotes.with(random.below(count), START_MS * 1_000), clock)
    check(quotes, { ...clock, opensQuote: clock.opensQuote.map((opens, i) => (i === 0 ? 0 : opens)) })
  })
})

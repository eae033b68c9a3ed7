// Tests which part of stored dates is before the cursor while the future is hidden.

import { expect, test } from 'bun:test'
import { clippedTo, hiddenFrom, horizonOf, passedDates } from './horizon.ts'

const DAY_MS = 86_400_000
const date = (day: number, more: object = {}) => ({
  ...{ date: `1970-01-0${day}`, first_timestamp: (day - 1) * DAY_MS, last_timestamp: (day - 1) * DAY_MS + 500 },
  ...{ gaps: [] as { timestamp: number }[], inferred_gaps: [] as { from: number }[], ...more },
})

test('leaves out later dates, and hides how long the date of the cursor was recorded', () => {
  const gaps = {
    gaps: [{ timestamp: DAY_MS + 10 }, { timestamp: DAY_MS + 30 }],
    inferred_gaps: [{ from: DAY_MS + 21 }],
  }
  const dates = [date(1), date(2, gaps), date(3)]
  const [first, second, ...others] = passedDates(dates, { ms: DAY_MS + 20, record: null })
  expect(first).toBe(dates[0]!)
  expect(second).toMatchObject({
    last_timestamp: 2 * DAY_MS - 1,
    gaps: [{ timestamp: DAY_MS + 10 }],
    inferred_gaps: [],
  })
  expect(others).toEqual([])
  expect(passedDates(dates, null)).toBe(dates)
  // A date has passed as a whole at its last millisecond.
  expect(passedDates(dates, { ms: 2 * DAY_MS - 1, record: null })[1]).toBe(dates[1]!)
})

test('the horizon is the cursor, and hides an instant if more of its records follow', () => {
  expect(horizonOf({ hidesFuture: true, atMs: null, record: null })).toBeNull()
  expect(horizonOf({ hidesFuture: false, atMs: 5, record: null })).toBeNull()
  expect(hiddenFrom(horizonOf({ hidesFuture: true, atMs: 5, record: null }))).toBe(6)
  expect(hiddenFrom(horizonOf({ hidesFuture: true, atMs: 5, record: 2 }))).toBe(5)
  expect(
    clippedTo(
      [
        { fromMs: 1, toMs: 9 },
        { fromMs: 6, toMs: 7 },
      ],
      6,
    ),
  ).toEqual([{ fromMs: 1, toMs: 6 }])
})

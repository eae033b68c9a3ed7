// Tests days of a calendar: none is missing, and keys move between them, but not beyond.

import { describe, expect, test } from 'bun:test'
import { type Day, movedDay, neighbourOf, strengthOf, weekdayOf, weeksOf, withMissing } from './calendar.ts'

const day = (date: string): Day => ({ date, condition: 'available', records: 5, faults: '' })

test('days between two stored ones are missing', () => {
  const days = withMissing([day('2026-02-27'), day('2026-03-02'), day('2026-03-03')])
  expect(days.map(({ date, condition }) => `${date} ${condition}`)).toEqual([
    '2026-02-27 available',
    '2026-02-28 missing',
    '2026-03-01 missing',
    '2026-03-02 available',
    '2026-03-03 available',
  ])
  expect(withMissing([])).toEqual([])
})

test('weeks begin on Monday', () => {
  expect(['2026-07-20', '2026-07-26'].map(weekdayOf)).toEqual([0, 6])
})

describe('keys', () => {
  test.each([
    ['strip', 10, 'ArrowLeft', 9],
    ['strip', 0, 'ArrowLeft', 0],
    ['strip', 10, 'End', 99],
    ['weeks', 10, 'ArrowRight', 17],
    ['weeks', 96, 'ArrowRight', 99],
    ['weeks', 10, 'ArrowDown', 11],
    ['weeks', 10, 'Home', 0],
    ['strip', 10, 'ArrowDown', undefined],
    ['weeks', 10, 'Enter', undefined],
  ] as const)('in %s from %i, %s leads to %p', (layout, from, key, to) => {
    expect(movedDay(from, key, { layout, count: 100 })).toBe(to)
  })
})

test('the strength is 0 only for no records, and greatest for the most records', () => {
  expect([0, 1, 1_000, 30_000, 1_000_000].map((records) => strengthOf(records, 1_000_000))).toEqual([0, 1, 1, 3, 4])
  expect(strengthOf(1, 1)).toBe(4)
})

test('neighbours are stored days', () => {
  const stored = ['2026-07-18', '2026-07-20', '2026-07-25'].map(day)
  expect(neighbourOf(stored, '2026-07-20', 1)).toBe('2026-07-25')
  expect(neighbourOf(stored, '2026-07-19', -1)).toBe('2026-07-18')
  expect(neighbourOf(stored, '2026-07-25', 1)).toBeUndefined()
})

describe('weeks side by side', () => {
  test('have each day in its place, and the name of each month that has room for it', () => {
    const { days, months, skipped } = weeksOf(withMissing([day('2026-07-29'), day('2026-08-10')]))
    expect(days.length).toBe(13)
    expect(days.map(({ column, weekday }) => column * 10 + weekday)).toEqual([
      ...[12, 13, 14, 15, 16],
      ...[20, 21, 22, 23, 24, 25, 26],
      30,
    ])
    // August begins in a column that has days of July too.
    expect(months).toEqual([{ text: 'Aug 2026', column: 1, end: 4 }])
    expect(skipped).toEqual([])
  })

  test('share one column over a long time without data', () => {
    const { days, months, skipped } = weeksOf(withMissing([day('2024-12-31'), day('2026-07-20')]))
    expect(skipped).toEqual([{ column: 2, weeks: 80, from: '2025-01-06', to: '2026-07-19' }])
    expect(months).toEqual([
      { text: 'Jan', column: 1, end: 2 },
      { text: 'Jul 2026', column: 3, end: 6 },
    ])
    expect(days.map((each) => `${each.day.date} ${each.column} ${each.weekday}`)).toEqual([
      ...['2024-12-31 1 1', '2025-01-01 1 2', '2025-01-02 1 3', '2025-01-03 1 4', '2025-01-04 1 5', '2025-01-05 1 6'],
      '2026-07-20 3 0',
    ])
  })
})

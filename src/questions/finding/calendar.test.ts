// Tests the calendar: every date of its range, with the stored sums and how reliable they are.

import { expect, test } from 'bun:test'
import { NO_SUMS } from '../../../storage/finding/day-totals.ts'
import { askIndex } from '../../../test/support/finding/index-question.ts'
import { calendar } from './calendar.ts'

const ENDS = { from: '2026-08-10', to: '2026-08-12' }
const catalogue = {
  calendarEnds: async () => ENDS,
  calendar: async () => [
    { ...NO_SUMS, date: '2026-08-10', markets: 1, records: 9, volume: 1_500_000n },
    { ...NO_SUMS, date: '2026-08-12', markets: 2, gaps: 3, hashesChecked: 4 },
  ],
}
type Body = { from: string | null; to: string | null; data_count: number; data: Record<string, unknown>[] }
const ask = async (query: Record<string, string>, venue: 'kalshi' | 'polymarket' = 'kalshi', changes = {}) =>
  (await askIndex(calendar, { venue, query, catalogue: { ...catalogue, ...changes } })).body as Body

test('a date without data between two others is listed', async () => {
  const { data, ...range } = await ask({})
  expect(range).toEqual({ ...ENDS, data_count: 3 })
  expect(data).toMatchObject([
    { date: '2026-08-10', condition: 'available', markets: 1, records: 9, volume: 1.5, gaps: 0, incidents: [] },
    { date: '2026-08-11', condition: 'missing', markets: 0, records: 0, volume: 0 },
    { date: '2026-08-12', condition: 'degraded', gaps: 3 },
  ])
  expect(data[2]).not.toHaveProperty('hashes_checked')
  expect((await ask({}, 'polymarket')).data[2]).toMatchObject({ hashes_agreed: 0, hashes_checked: 4 })
})

test.each([
  [{ from: '2026-08-11' }, ['2026-08-11', '2026-08-12']],
  [{ to: '2026-08-11' }, ['2026-08-10', '2026-08-11']],
  [{ from: '2026-08-20' }, ['2026-08-20', '2026-08-20']],
  [{ to: '2026-08-01' }, ['2026-08-01', '2026-08-01']],
  [{ from: '2026-08-01', to: '2026-08-02' }, ['2026-08-01', '2026-08-02']],
] as const)('the range of %j', async (query, [from, to]) => {
  expect(await ask({ ...query })).toMatchObject({ from, to })
})

test('without stored data there are no dates, unless the request names them', async () => {
  const empty = { calendarEnds: async () => undefined, calendar: async () => [] }
  expect(await ask({}, 'kalshi', empty)).toEqual({ from: null, to: null, data_count: 0, data: [] })
  expect((await ask({ from: '2026-08-10' }, 'kalshi', empty)).data_count).toBe(1)
})

test.each([
  [{ from: '2026-08-12', to: '2026-08-11' }, 'from must be at or before to (2026-08-11), got "2026-08-12"'],
  [{ from: '2016-08-04', to: '2026-08-12' }, 'at most 3660 days from 2016-08-04 to 2026-08-12, got "2026-08-12"'],
  [{ from: '2016-08-04' }, 'at most 3660 days from 2016-08-04 to 2026-08-12, got "2016-08-04"'],
])('the range of %j is refused', async (query, message) => {
  await expect(ask({ ...query } as Record<string, string>)).rejects.toThrow(message)
})

test('a range has at most ten years', async () => {
  expect((await ask({ from: '2016-08-05' })).data_count).toBe(3_660)
})

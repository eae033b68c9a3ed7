// Tests the time range of a query, and how many buckets it has.

import { expect, test } from 'bun:test'
import { DAY_MS } from '../../../storage/units.ts'
import { RequestFailure } from '../server/request-failure.ts'
import { assertBucketsFit, countBuckets, readBounds, readWindow } from './time-window.ts'

const bounds = (start: string, end: string) => ({ start_timestamp: start, end_timestamp: end })

function failureOf(run: () => unknown): RequestFailure {
  try {
    run()
  } catch (error) {
    if (error instanceof RequestFailure) return error
    throw error
  }
  throw new Error('nothing was refused')
}

test('a date is its whole UTC day', () =>
  expect(readWindow({ date: '2026-08-10' })).toEqual({
    date: '2026-08-10',
    fromMs: Date.UTC(2026, 7, 10),
    toMs: Date.UTC(2026, 7, 11) - 1,
    unit: 'ms',
    given: null,
  }))

test('an end in seconds includes the whole of its second', () =>
  expect(readWindow(bounds('1786406390', '1786406401'))).toEqual({
    date: null,
    fromMs: 1_786_406_390_000,
    toMs: 1_786_406_401_999,
    unit: 's',
    given: { start: 1_786_406_390, end: 1_786_406_401 },
  }))

test('bounds in milliseconds are taken as they are', () => {
  const { fromMs, toMs, unit } = readBounds(bounds('1786402000123', '1786402000123'))
  expect({ fromMs, toMs, unit }).toEqual({ fromMs: 1_786_402_000_123, toMs: 1_786_402_000_123, unit: 'ms' })
})

const SECOND = { fromMs: Date.UTC(2026, 7, 11, 1, 7), toMs: Date.UTC(2026, 7, 11, 1, 7, 59, 999) }
test.each([
  ['2026-08-11T01:07:00Z', '2026-08-11T01:07:59Z'],
  ['2026-08-11T03:07:00+02:00', '2026-08-11T01:07:59.999Z'],
  ['1786410420000000', '1786410479999999'],
  ['1786410420', '2026-08-11T01:07:59Z'],
  ['2026-08-11T01:07:00Z', '1786410479999999'],
])('bounds of %s to %s are answered in ms', (start, end) =>
  expect(readBounds(bounds(start, end))).toEqual({
    ...{ date: null, unit: 'ms', ...SECOND },
    given: { start: SECOND.fromMs, end: SECOND.toMs },
  }),
)

test('1e11 is the first value that is milliseconds', () => {
  expect(readBounds(bounds('99999999999', '99999999999')).unit).toBe('s')
  expect(readBounds(bounds('100000000000', '100000000000')).unit).toBe('ms')
})

test.each([
  ['neither form', {}, ['date']],
  ['a start alone', { start_timestamp: '1' }, ['end_timestamp']],
  ['an end alone', { end_timestamp: '1' }, ['start_timestamp']],
  ['a date with bounds', { date: '2026-08-10', ...bounds('1', '2') }, ['date']],
  ['a date with one bound', { date: '2026-08-10', end_timestamp: '2' }, ['date']],
  ['a start after its end', bounds('3', '2'), ['start_timestamp']],
  ['seconds and milliseconds', bounds('1786406390', '1786406401000'), ['start_timestamp', 'end_timestamp']],
  ['milli- and microseconds', bounds('1786406390000', '1786406401000000'), ['start_timestamp', 'end_timestamp']],
  ['a time after its end', bounds('2026-08-11T01:07:01Z', '2026-08-11T01:07:00Z'), ['start_timestamp']],
  ['milliseconds and seconds', bounds('1786406390000', '1786406401'), ['start_timestamp', 'end_timestamp']],
])('readWindow refuses %s', (_, query, fields) => {
  const failure = failureOf(() => readWindow(query))
  expect(failure.code).toBe('parameters_invalid')
  expect(failure.errors.map(({ field }) => field)).toEqual(fields)
})

// The formula agrees with a count of every bucket of every day.
test.each([1, 7, 60, 3600, 3599, 86_399 % 3600])('countBuckets agrees with a walk, resolution %d', (resolution) => {
  const starts: number[] = []
  for (let day = 0; day < 3; day++) {
    for (let ms = 0; ms < DAY_MS; ms += resolution * 1000) starts.push(day * DAY_MS + ms)
  }
  const edges = [0, 1, 999, 1000, 59_999, DAY_MS - 1, DAY_MS, DAY_MS + 1, 2 * DAY_MS - 1, 2 * DAY_MS + 12_345]
  for (const fromMs of edges) {
    for (const toMs of edges.filter((edge) => edge >= fromMs)) {
      const walked = starts.filter((start) => start >= fromMs && start <= toMs).length
      expect(countBuckets({ fromMs, toMs }, resolution)).toBe(walked)
    }
  }
})

test('a million buckets fit, one more does not', () => {
  const window = readBounds(bounds('1785542400', String(1_785_542_400 + 999_999)))
  assertBucketsFit(window, 1)
  const failure = failureOf(() => assertBucketsFit({ ...window, toMs: window.toMs + 1 }, 1))
  expect(failure.code).toBe('range_too_long')
  expect(failure.message).toContain('1000001')
})

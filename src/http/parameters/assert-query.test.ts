// Tests the check of a query: one answer names every wrong parameter.

import { expect, test } from 'bun:test'
import { t } from 'elysia'
import type { RequestFailure } from '../server/request-failure.ts'
import { assertQuery } from './assert-query.ts'
import { utcDay, wholeNumber } from './parameter.ts'

const SCHEMA = t.Object({
  date: utcDay(),
  limit: t.Optional(wholeNumber({ min: 1, max: 9 })),
  other: t.Optional(t.Any()),
})

function errorsOf(query: Record<string, unknown>): unknown {
  try {
    assertQuery(SCHEMA, query)
    return []
  } catch (error) {
    return (error as RequestFailure).errors
  }
}

test('a query that its schema has passes', () => {
  expect(errorsOf({ date: '2026-08-10' })).toEqual([])
  expect(errorsOf({ date: '2026-08-10', limit: '9', other: 5 })).toEqual([])
})

const LIMIT = 'must be a whole number from 1 to 9, got'
const DATE = 'must be a UTC date written YYYY-MM-DD, from 1970-01-01 on'
const UNKNOWN = 'is not a parameter: this endpoint takes date, limit, other'

test.each<[Record<string, unknown>, [field: string, message: string][]]>([
  [{}, [['date', `is required and ${DATE}`]]],
  [{ date: '2026-08-10', limit: '10' }, [['limit', `${LIMIT} "10"`]]],
  [{ date: '2026-08-10', limit: ['5'] }, [['limit', `${LIMIT} ["5"]`]]],
  [
    { x: '1', date: '10', limit: '0' },
    [
      ['x', UNKNOWN],
      ['date', `${DATE}, got "10"`],
      ['limit', `${LIMIT} "0"`],
    ],
  ],
])('%j is refused', (query, errors) => {
  expect(errorsOf(query)).toEqual(errors.map(([field, message]) => ({ field, message })))
})

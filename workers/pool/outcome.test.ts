// Expected failures cross threads with their code, and no other error looks like one.

import { expect, test } from 'bun:test'
import { DataError } from '../../storage/failures.ts'
import { failureOf } from './outcome.ts'

test.each([
  [new DataError('market_not_stored', 'Nothing'), 'market_not_stored'],
  [new RangeError('Out of memory'), 'work_lost'],
  [new Error('MDB_MAP_FULL: Environment mapsize limit reached'), undefined],
  [new TypeError('a bug'), undefined],
] as const)('%s', (error, code) => {
  expect(failureOf(error)?.code).toBe(code)
})
